import { runEdge } from "../../../program/edge.js";

export const runtime = "edge";
export const dynamic = "force-dynamic";

export async function GET() {
  return Response.json(await runEdge());
}
