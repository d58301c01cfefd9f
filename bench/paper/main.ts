// npm run paper: runs the tables of the paper again and draws its figures, prints the numbers, and puts them into RESULTS.md.
import { paper } from './command.js';

try {
  console.log(await paper(process.argv.slice(2), process.env['CURVAD_DATA']));
} catch (error) {
  console.error(`paper: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
}
