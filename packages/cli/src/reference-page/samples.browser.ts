// The reference page serves every export of this file as text, so it may use only browser APIs and other exports.

/** Shows all samples in the language that the reader chooses, also on the next visit. */
export function startSamples(): void {
  const choices = document.querySelectorAll<HTMLInputElement>('.samples input');
  const choose = (language: string | undefined) => {
    for (const choice of choices) if (choice.value === language) choice.checked = true;
  };
  for (const choice of choices) {
    choice.addEventListener('change', () => {
      choose(choice.value);
      const storage = languageStorage();
      if (storage) storage.memoryReadLanguage = choice.value;
    });
  }
  choose(languageStorage()?.memoryReadLanguage);
}

/** Returns nothing if the browser keeps no data of the page. */
export function languageStorage(): Storage | undefined {
  try {
    return localStorage;
  } catch {
    return undefined;
  }
}
