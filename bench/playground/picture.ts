// npm run playground:picture: the picture of the page in docs/.
import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';
import sharp from 'sharp';
import { preview } from 'vite';

const CHROMIUM = [process.env['CHROMIUM'], '/usr/bin/chromium', '/usr/bin/google-chrome'].find(
  (path) => path !== undefined && existsSync(path),
);
if (CHROMIUM === undefined) throw new Error('install Chromium, or name it by CHROMIUM');
const server = await preview({ configFile: 'playground/vite.config.ts', logLevel: 'error', preview: { port: 0 } });
const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-gpu'] });
try {
  const page = await browser.newPage({
    viewport: { width: 1280, height: 800 },
    deviceScaleFactor: 2,
    reducedMotion: 'reduce',
  });
  await page.goto(`${server.resolvedUrls?.local[0]}#set=moons&points=500&row=419`);
  await page.waitForSelector('#verdict');
  // The landscape gets finer for about a second.
  await page.waitForTimeout(4000);
  const screen = await page.screenshot();
  await sharp(screen).resize(1600).png({ palette: true, colours: 200 }).toFile('docs/playground.png');
} finally {
  await browser.close();
  await server.close();
}
