// Makes docs/report.png, the picture of a report in the README: the embedded example, opened in Chromium.
// Run it after a build: node scripts/report-picture.js
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

const folder = mkdtempSync(join(tmpdir(), 'curvad-'));
const curvad = (...args) =>
  execFileSync(process.execPath, [join(process.cwd(), 'dist/cli.js'), ...args], { cwd: folder });
try {
  curvad('example', '--out', 'readings.csv');
  const method = ['--standardize', '--contamination', '0.012', '--label', 'planted'];
  curvad('detect', 'readings.csv', ...method, '--report', 'report.html', '-q');
  const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  const page = await browser.newPage({ viewport: { width: 980, height: 1130 }, colorScheme: 'light' });
  await page.goto(pathToFileURL(join(folder, 'report.html')).href);
  await page.screenshot({ path: 'docs/report.png' });
  await browser.close();
} finally {
  rmSync(folder, { recursive: true });
}
