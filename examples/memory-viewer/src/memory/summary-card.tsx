import type { Summary } from '@memory-read/client';

/** What the memory is about, where there is something to say. */
export function SummaryCard({ summary: { quick_summary, key_takeaways } }: { summary: Summary }) {
  if (quick_summary.trim() === '' && key_takeaways.length === 0) return null;
  return (
    <section className="summary" aria-labelledby="summary">
      <h2 id="summary">Summary</h2>
      <p dir="auto">{quick_summary}</p>
      {key_takeaways.length > 0 && (
        <ul>
          {/* They never change places, and two may be the same. */}
          {key_takeaways.map((takeaway, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: see above.
            <li key={index} dir="auto">
              {takeaway}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
