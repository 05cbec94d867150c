/**
 * node measure-row.ts ROW SCALE FOLDER, forked by main.ts: measures one row and sends its result.
 *
 * In a process of its own, because what a row leaves behind, such as a heap that has grown, slows down the next: even a
 * process takes longer to start from a large one.
 */
import { type Scale, sizesOf } from './measurement/sizes.ts';
import { rows } from './rows.ts';

const [, , id, scale, folder = ''] = process.argv;
process.on('disconnect', () => process.exit(1));

const row = rows.find((candidate) => candidate.id === id);
const result = await row?.measure({ sizes: sizesOf(scale as Scale), folder });
process.send?.(result, () => process.exit());
