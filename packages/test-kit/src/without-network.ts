/** Whether tests run as the root user, as they do in the gate. */
export const isRoot = process.getuid?.() === 0;

/** Words before a command that leave it no network but loopback. They need Linux. */
export const withoutNetwork = ['unshare', isRoot ? '-n' : '-rn', 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh'];
