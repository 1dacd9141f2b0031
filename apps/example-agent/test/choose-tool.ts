import type { Page } from "playwright-core";

/**
 * Follows the link to a tool, and waits until the tool is shown: before that the fields of the last one are there, and
 * many tools have fields of the same names.
 */
export async function chooseTool(page: Page, name: string): Promise<void> {
  await page.locator("#tool-list").getByRole("link", { name }).click();
  await page.locator("#tool").getByRole("heading", { name, exact: true }).waitFor();
}
