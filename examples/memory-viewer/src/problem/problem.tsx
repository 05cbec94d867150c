import { problemText } from './problem-text.ts';

/** Says what went wrong, and lets the reader try again. */
export function Problem({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const { title, advice } = problemText(error);
  return (
    <div className="problem" role="alert">
      <h2>{title}</h2>
      <p>{advice}</p>
      <button type="button" className="button" onClick={onRetry}>
        Try again
      </button>
    </div>
  );
}
