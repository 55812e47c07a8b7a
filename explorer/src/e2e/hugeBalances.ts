// An RPC that says of every balance in the escrow that it is the largest there can be.
import type { Page } from "playwright-core";
import { toFunctionSelector } from "viem";

const BALANCES = [toFunctionSelector("reserves()"), toFunctionSelector("balanceOf(address)")];

/** Changes what the page hears from its RPC; everything else comes from the chain. */
export async function hugeBalances(page: Page, port: number): Promise<void> {
  await page.route(
    (url) => url.port === String(port),
    async (route) => {
      const asked = route.request().postData() ?? "";
      if (!BALANCES.some((selector) => asked.includes(selector))) return route.continue();
      const response = await route.fetch();
      const body = (await response.text()).replace(/"result":"0x([0-9a-f]+)"/g, (_, words: string) => {
        return `"result":"0x${"f".repeat(words.length)}"`;
      });
      await route.fulfill({ response, body });
    },
  );
}
