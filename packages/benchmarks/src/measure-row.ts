/**
 * node measure-row.ts ROW SCALE FOLDER, forked by main.ts: measures one row and sends its result.
 *
 * Each row runs in a process of its own, because the heap that it leaves behind would slow down the next one.
 */
import { type Scale, sizesOf } from './measurement/sizes.ts';
import { rows } from './rows.ts';

const [, , id, scale, folder = ''] = process.argv;
process.on('disconnect', () => process.exit(1));

const row = rows.find((candidate) => candidate.id === id);
const result = await row?.measure({ sizes: sizesOf(scale as Scale), folder });
process.send?.(result, () => process.exit());
