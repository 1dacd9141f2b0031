import { runAll } from "../../../program/all.js";

export const dynamic = "force-dynamic";

export async function GET() {
  return Response.json(await runAll());
}
