// Every view by what it shows, without violations of accessibility, on desks and phones, light and dark.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { Random } from '../src/data/random.js';
import { boxOf, coloursOf, drop, pictureOf, says, visitor } from './support.js';

const here = visitor();
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Axe {
  run(): Promise<{ violations: ReadonlyArray<{ id: string; nodes: ReadonlyArray<{ html: string }> }> }>;
}

/** What axe finds wrong. */
async function violations(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const { violations } = await (globalThis as typeof globalThis & { axe: Axe }).axe.run();
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 120)}`));
  });
}

const VIEWS: Readonly<Record<string, RegExp>> = {
  map: /not belong/,
  time: /Rows in the order|no column of times/,
  compare: /Elliptic Envelope\d+ flagged/,
  prototypes: /rows stay/,
  stream: /rows a second at/,
};

for (const [title, options] of [
  ['a desk, light', {}],
  ['a desk, dark', { colorScheme: 'dark' }],
  ['a phone', { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }],
] as const)
  it(`is accessible in every view on ${title}`, async () => {
    const { page } = await here.visit('#set=sensors&points=300', { ...options, reducedMotion: 'reduce' });
    // The page's own policy refuses foreign scripts: what a test puts in is run by the debugger.
    await page.evaluate(AXE);
    await page.click('#columns-details summary');
    await page.click('#take summary');
    for (const [view, shows] of Object.entries(VIEWS)) {
      await page.click(`#tab-${view}`);
      if (view === 'stream') await page.click('#play');
      await says(page, '#views', shows);
      if (view === 'stream') await page.click('#play');
      expect(await violations(page), view).toEqual([]);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(wide, `${view} is wider than the screen`).toBeLessThanOrEqual(0);
    }
    await page.close();
  });

it('is reached by the keyboard alone: from the top to a row, a view and a threshold', async () => {
  const { page } = await here.visit('#set=moons&points=100');
  const focused = (): Promise<string> => page.evaluate(() => document.activeElement?.id ?? '');
  const seen: string[] = [];
  for (let press = 0; press < 30; press++) {
    await page.keyboard.press('Tab');
    const id = await focused();
    seen.push(id);
    const outline = await page.evaluate(() => {
      const element = document.activeElement as HTMLElement;
      const around = element.matches('#file') ? (element.closest('label') as HTMLElement) : element;
      const { outlineStyle, outlineWidth, borderColor } = getComputedStyle(around);
      return outlineStyle !== 'none' ? outlineWidth : borderColor;
    });
    expect(outline, `the focus on ${id} is seen`).not.toMatch(/^0/);
  }
  const order = ['file', 'set', 'points', 'seed', 'method', 'threshold', 'share', 'tab-map', 'axis-x', 'axis-y', 'map'];
  expect(seen.filter((id) => order.includes(id))).toEqual(order);
  await page.focus('#tab-map');
  await page.keyboard.press('ArrowRight');
  expect(await focused()).toBe('tab-time');
  await page.waitForSelector('#time', { state: 'visible' }); // views change with the next frame
  await page.focus('#time');
  await page.keyboard.press('Home');
  const first = await says(page, '#verdict', /^Row \d+ is an anomaly/);
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => page.textContent('#verdict')).not.toBe(first);
  await page.close();
});

it('shows values and scores along time, and the row that is clicked', async () => {
  const { page } = await here.visit('#set=series&view=time');
  await says(page, '#time-help', /Rows in the order of time/);
  await expect.poll(() => page.getAttribute('#time', 'aria-label')).toMatch(/value and scores of 2000 rows along time/);
  // The first fault of the set is two values at 31 % of the time.
  const box = await boxOf(page, '#time');
  await page.mouse.click(box.x + 46 + 0.3105 * (box.width - 54), box.y + 40);
  await says(page, '#verdict', /^Row 62\d is an anomaly/);
  await page.close();
});

it('shows all detectors side by side, and opens the one that is chosen', async () => {
  const { page } = await here.visit('#set=moons&points=200&view=compare');
  for (const method of ['landmark', 'cad', 'kcad', 'knn', 'lof', 'iforest', 'ocsvm', 'ee']) {
    await says(page, `#compare-${method}`, /^\d+ flagged, /);
    expect(await coloursOf(page, `[data-method="${method}"] canvas`), method).toBeGreaterThan(20);
  }
  await page.click('[data-method="lof"]');
  await says(page, '#status', /says LOF after/);
  expect(await page.isVisible('#map')).toBe(true);
  await page.close();
});

it('keeps 5 to 50 % as prototypes by any selector', async () => {
  const { page } = await here.visit('#set=clusters&points=200&view=prototypes');
  await says(page, '#kept', /^3\d of 200 rows stay|^40 of 200 rows stay/);
  await page.focus('#keep');
  await page.keyboard.press('End');
  await says(page, '#keep-share', /^50 %/);
  await says(page, '#kept', /^(9\d|100) of 200/);
  const selectors = await page.$$eval('#selector option', (options) =>
    options.map((option) => option.getAttribute('value')),
  );
  expect(selectors).toHaveLength(8);
  for (const selector of selectors as string[]) {
    await page.selectOption('#selector', selector);
    await expect.poll(() => page.url()).toContain(selector === 'icad' ? 'keep=0.5' : `selector=${selector}`);
    await says(page, '#kept', /^\d+ of 200 rows stay/);
  }
  await page.close();
});

it('plays a stream against every kind of scorer, and tells measured rates', async () => {
  const { page } = await here.visit('#set=series&points=800&view=stream');
  await page.selectOption('#stream-speed', '4');
  const kinds = await page.$$eval('#stream-by option', (options) =>
    options.map((option) => option.getAttribute('value')),
  );
  for (const kind of kinds as string[]) {
    await page.selectOption('#stream-by', kind);
    if ((await page.textContent('#play')) === 'Play') await page.click('#play');
    await expect
      .poll(() => page.textContent('#rate'))
      .toMatch(/^[\d,]+ rows a second at \d+ frames a second; .* µs to score a row/);
  }
  await page.selectOption('#stream-source', 'data');
  await page.selectOption('#stream-speed', '0');
  await says(page, '#alarms', /^800 rows, \d+ alarms/);
  await says(page, '#play', /^Play$/);
  await page.close();
});

it('draws the landscape of both types, zooms and pans', async () => {
  const { page } = await here.visit('#set=moons&points=200&method=cad');
  const before = await pictureOf(page, '#map');
  await page.selectOption('#landscape', 'normal');
  await expect.poll(() => pictureOf(page, '#map')).not.toBe(before);
  await expect.poll(() => page.url()).toContain('landscape=normal');
  const typed = await pictureOf(page, '#map');
  await page.click('#zoom-in');
  await expect.poll(() => pictureOf(page, '#map')).not.toBe(typed);
  const zoomed = await pictureOf(page, '#map');
  const box = await boxOf(page, '#map');
  await page.mouse.move(box.x + 200, box.y + 200);
  await page.mouse.down();
  await page.mouse.move(box.x + 260, box.y + 230, { steps: 4 });
  await page.mouse.up();
  await expect.poll(() => pictureOf(page, '#map')).not.toBe(zoomed);
  await page.close();
});

it('draws the anomaly path of CAD when a row is clicked: in motion, or at once for people who want stillness', async () => {
  for (const reducedMotion of ['no-preference', 'reduce'] as const) {
    const { page } = await here.visit('#set=moons&points=200&method=cad', {
      reducedMotion,
      viewport: { width: 900, height: 600 },
    });
    await says(page, '#verdict', /is an anomaly/);
    await page.waitForTimeout(1200);
    const pictures = await page.evaluate(async () => {
      const map = document.getElementById('map') as HTMLCanvasElement;
      const seen = new Set<string>();
      // Far from the moons: the way is long.
      (document.querySelector('#rows [data-row="179"]') as HTMLElement).click();
      const end = performance.now() + 1700;
      while (performance.now() < end) {
        seen.add(map.toDataURL());
        await new Promise(requestAnimationFrame);
      }
      return seen.size;
    });
    // The row before, the ring, the straight way, the path: a few pictures in stillness, one a frame in motion.
    if (reducedMotion === 'reduce') expect(pictures).toBeLessThanOrEqual(5);
    else expect(pictures).toBeGreaterThan(9);
    await page.close();
  }
});

it('tells how long it will take, and can be cancelled', async () => {
  const { page } = await here.visit('#set=clusters&points=300');
  // Noise in many columns: the nearest rows are found by looking at all of them.
  const random = new Random(1);
  const lines = Array.from({ length: 60_000 }, () =>
    Array.from({ length: 16 }, () => random.next().toFixed(3)).join(','),
  );
  await drop(page, 'long.csv', `a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p\n${lines.join('\n')}\n`);
  await says(page, '#facts', /^long.csv: 60,000 rows/);
  await page.selectOption('#method', 'lof');
  await says(page, '#remaining', /^Fitting 60,000 rows, (about .*|less than a second) left/);
  await says(page, '#status', /says LOF/);
  await page.selectOption('#method', 'ocsvm');
  await page.click('#cancel');
  await says(page, '#message', /^Cancelled: there are no scores for these settings/);
  await expect.poll(() => page.getAttribute('html', 'data-phase')).toBe('unfitted');
  await page.selectOption('#method', 'iforest');
  await says(page, '#status', /says Isolation Forest after/);
  expect(await page.isHidden('#again')).toBe(true);
  await page.close();
});
