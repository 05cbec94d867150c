/** Icon of the pages, as SVG. A browser that finds none requests `/favicon.ico`, and shows a 404 in its console. */
export const pageIcon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="9" fill="#1d6b58"/><path d="M9 13v6M13.7 9v14M18.3 12v8M23 14.5v3" stroke="#fff" stroke-width="2.4" stroke-linecap="round"/></svg>';
