// The main way in Firefox: from the first picture to a dropped file and the reason for its first row.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type AnyBrowser, FIREFOX, launchFirefox, type Tab } from '../../test/runtimes/pages.js';
import { describeRuntime } from '../../test/runtimes/support.js';
import { type Served, servePage } from './support.js';

describeRuntime('Firefox', FIREFOX, (executablePath) => {
  let browser: AnyBrowser;
  let server: Served;
  beforeAll(async () => {
    server = await servePage();
    browser = await launchFirefox(executablePath);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  it('shows what does not belong, reads a dropped file, and says why', async () => {
    const tab = (await browser.newPage()) as Tab;
    const complaints: string[] = [];
    tab.on('pageerror', (error) => complaints.push(String(error)));
    const text = (selector: string): Promise<string | null> =>
      tab.evaluate((asked) => document.querySelector(asked)?.textContent ?? '', selector);
    const says = (selector: string, expected: RegExp): Promise<void> =>
      expect.poll(() => text(selector), { timeout: 30_000 }).toMatch(expected);
    await tab.goto(server.origin);
    await says('#status', /^\d+ rows do not belong \(.* of 500\), says LandmarkCAD/);
    await says('#verdict', /^Row \d+ is an anomaly/);
    await tab.evaluate(
      (lines) => {
        const data = new DataTransfer();
        data.items.add(new File([lines], 'machines.csv'));
        document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
      },
      `load,heat\n${Array.from({ length: 60 }, (_, i) => `${Math.sin(i).toFixed(3)},${(i === 41 ? 9 : Math.cos(i)).toFixed(3)}`).join('\n')}\n`,
    );
    await says('#facts', /^machines.csv: 60 rows, 2 of 2 columns used/);
    await says('#verdict', /^Row 41 is an anomaly/);
    await says('#way-out', /heat 9 →/);
    for (const method of ['cad', 'iforest', 'ee']) {
      await tab.evaluate((name) => {
        const select = document.querySelector('#method') as HTMLSelectElement;
        select.value = name;
        select.dispatchEvent(new Event('change'));
      }, method);
      await expect.poll(() => text('#code-terminal')).toContain(`--method ${method}`);
      await says('#status', /says (CAD|Isolation Forest|Elliptic Envelope) after/);
    }
    expect(complaints).toEqual([]);
    await tab.close();
  });
});
