// Makes a finding small: takes away what it does not need for the same error.
import { type Attack, signatureOf } from './attack.js';

/** The smallest plan with the same error that is found in some seconds. */
export async function shrink(attack: Attack, plan: unknown, signature: string, seconds: number): Promise<unknown> {
  const end = performance.now() + seconds * 1000;
  let best = plan;
  for (let isSmaller = true; isSmaller && attack.smaller !== undefined; ) {
    isSmaller = false;
    for (const candidate of attack.smaller(best)) {
      if (performance.now() > end) return best;
      if ((await signatureOfRun(attack, candidate)) !== signature) continue;
      best = candidate;
      isSmaller = true;
      break;
    }
  }
  return best;
}

export async function signatureOfRun(attack: Attack, plan: unknown): Promise<string | undefined> {
  try {
    await attack.run(plan);
    return undefined;
  } catch (error) {
    return signatureOf(error);
  }
}
