import process from "node:process";
import pg from "pg";

let made = 0;

/** Makes a database of its own on a server and returns its URL. */
export async function newDatabase(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const name = `durable_${process.pid}_${(made += 1)}`;
  await client.query(`CREATE DATABASE ${name}`);
  await client.end();
  const own = new URL(url);
  own.pathname = `/${name}`;
  return own.href;
}
