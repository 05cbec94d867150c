/** The shape of the list while it is read. */
export function ListSkeleton() {
  return (
    <div className="skeleton" role="status">
      <span className="unseen">Loading memories</span>
      {['a', 'b', 'c', 'd', 'e', 'f'].map((row) => (
        <div key={row} className="skeleton-row" aria-hidden="true">
          <span />
          <span />
        </div>
      ))}
    </div>
  );
}
