// An RPC whose logs do not say when their blocks were made, as many do not.
import type { Page } from "playwright-core";

/** Changes what the page hears from its RPC; blocks still say when they were made. */
export async function withoutTimes(page: Page, port: number): Promise<void> {
  await page.route(
    (url) => url.port === String(port),
    async (route) => {
      if (!route.request().postData()?.includes("eth_getLogs")) return route.continue();
      const response = await route.fetch();
      const body = (await response.text()).replace(/"blockTimestamp":"0x[0-9a-f]+",?/g, "");
      await route.fulfill({ response, body: body.replaceAll(",}", "}") });
    },
  );
}
