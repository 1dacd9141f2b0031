import { attackCase, type AttackCase } from "./attack-case.ts";

const node = (name: string): string => `process.getBuiltinModule("node:${name}")`;

/** Each must fail. `PID` stands for the other process, `FILE` for a planted file, `FD` for a descriptor of the host. */
const denied: readonly (readonly [name: string, program: string])[] = [
  ["a command", `return (await new Deno.Command("/bin/true").output()).code;`],
  ["a command in the background", `return new Deno.Command("/bin/true").spawn().pid;`],
  ["a command by node:child_process", `return ${node("child_process")}.execFileSync("/bin/true").length;`],
  ["a shell", `return ${node("child_process")}.execSync("true").length;`],
  [
    "a fork",
    `const c = ${node("child_process")}.fork("x.js", { silent: true });\nif (c.pid === undefined) throw new Error("none");\nreturn c.pid;`,
  ],
  ["a cluster", `return ${node("cluster")}.fork().process.pid!.toString();`],
  [
    "a native library",
    `return typeof Deno.dlopen("/lib/x86_64-linux-gnu/libc.so.6", { getpid: { parameters: [], result: "i32" } }).symbols.getpid();`,
  ],
  ["a native module", `process.dlopen({ exports: {} } as any, "/x.node");\nreturn "loaded";`],
  [
    "an extension of SQLite",
    `new (${node("sqlite")}.DatabaseSync)(":memory:", { allowExtension: true }).loadExtension("/x.so");\nreturn "loaded";`,
  ],
  ["a pointer", `return typeof new Deno.UnsafePointerView(Deno.UnsafePointer.create(1n)!);`],
  ["the debugger's port", `${node("inspector")}.open(0);\nreturn "open";`],
  ["a signal to another process", `Deno.kill(PID, "SIGWINCH");\nreturn "sent";`],
  ["a signal to another process by Node.js", `process.kill(PID, "SIGWINCH");\nreturn "sent";`],
  ["a signal to all of its group", `process.kill(0, "SIGWINCH");\nreturn "sent";`],
  ["a look whether a process is there", `process.kill(PID, 0);\nreturn "there";`],
  ["the environment", `return Object.keys(Deno.env.toObject())[0]!.length;`],
  ["a variable", `return Deno.env.get("VARIABLE")!.length;`],
  ["a variable by Node.js", `return process.env["VARIABLE"]!.length;`],
  ["a new variable", `Deno.env.set("PATH", "/x");\nreturn "set";`],
  ["the name of the machine", `return Deno.hostname();`],
  ["the name of the user", `return ${node("os")}.userInfo().username;`],
  ["the network of the machine", `return Deno.networkInterfaces().length;`],
  ["the network of the machine by node:os", `return Object.keys(${node("os")}.networkInterfaces()).length;`],
  ["the load of the machine", `return Deno.loadavg().length;`],
  ["the number of the user", `return Deno.uid() + 1;`],
  ["another user", `process.setuid!(0);\nreturn "set";`],
  ["the report of the process", `return JSON.stringify(process.report.getReport()).length;`],
  ["the environment of the process", `return Deno.readTextFileSync("/proc/self/environ");`],
  ["the environment of the host", `return Deno.readTextFileSync("/proc/" + Deno.ppid + "/environ");`],
  ["the environment of another process", `return Deno.readTextFileSync("/proc/PID/environ");`],
  ["the arguments of another process", `return ${node("fs")}.readFileSync("/proc/PID/cmdline", "utf8");`],
  ["the memory of the process", `return Deno.readTextFileSync("/proc/self/maps").length;`],
  ["the memory of the host", `return Deno.openSync("/proc/" + Deno.ppid + "/mem") !== undefined;`],
  ["an open file of the host", `return Deno.readTextFileSync("/proc/" + Deno.ppid + "/fd/FD");`],
  ["the terminal", `return Deno.openSync("/dev/tty") !== undefined && "open";`],
  ["a device", `return Deno.readFileSync("/dev/urandom").length;`],
  ["names in /proc", `return [...Deno.readDirSync("/proc")].length;`],
];

/** Each may run, and must have found nothing. */
const searches: readonly (readonly [name: string, program: string])[] = [
  [
    "a descriptor that is inherited, by node:fs",
    `const fs = ${node("fs")}, b = new Uint8Array(99);\nlet all = "";\nfor (let fd = 3; fd < 100; fd++) try { all += new TextDecoder().decode(b.subarray(0, fs.readSync(fd, b, 0, 99, 0))); } catch {}\nreturn all;`,
  ],
  [
    "a descriptor that is inherited, by its name",
    `let all = "";\nfor (let fd = 3; fd < 60; fd++) for (const f of ["/dev/fd/", "/proc/self/fd/"]) try { all += Deno.readTextFileSync(f + fd); } catch {}\nreturn all;`,
  ],
  [
    "variables in all that can be printed",
    `const all = [];\nfor (const get of [() => process.env, () => ${node("process")}.env, () => ${node("worker_threads")}.getEnvironmentData("VARIABLE"), () => process.report?.getReport(), () => process.config, () => process.argv, () => Deno.args]) try { all.push(JSON.stringify(get())); } catch {}\nreturn all;`,
  ],
  [
    "variables by all their names",
    `const e = process.env as any;\nlet all = "";\ntry { for (const k in e) all += e[k]; } catch {}\ntry { all += Object.entries(e); } catch {}\ntry { all += Reflect.get(e, "VARIABLE"); } catch {}\ntry { all += JSON.stringify(Object.getOwnPropertyDescriptors(e)); } catch {}\nreturn all + " end";`,
  ],
  [
    "the secret in its own memory",
    `let all = "";\nfor await (const piece of ${node("v8")}.getHeapSnapshot()) all += piece;\nreturn all.match(/s3cret-[0-9a-f]+/)?.[0] ?? "none";`,
  ],
  [
    "memory that was not cleared",
    `let all = "";\nfor (let i = 0; i < 200; i++) all += Buffer.allocUnsafeSlow(65536).toString("latin1") + Buffer.allocUnsafe(4000).toString("latin1");\nreturn all.match(/s3cret-[0-9a-f]+/)?.[0] ?? "none";`,
  ],
];

/** A program starts processes, signals them, or reads their secrets. */
export const processCases: readonly AttackCase[] = [
  attackCase(
    "processes",
    "every way to another process, its data, or more rights",
    (trial) => {
      const { bystander, variable, descriptor } = trial.secrets;
      return trial.deniedAll(
        denied.map(([name, program]) => ({
          name,
          body: program
            .replaceAll("PID", String(bystander))
            .replaceAll("VARIABLE", variable)
            .replaceAll("FD", String(descriptor)),
        })),
      );
    },
    denied.length,
  ),
  ...searches.map(([name, program]) =>
    attackCase("processes", name, (trial) => trial.attack(program.replaceAll("VARIABLE", trial.secrets.variable))),
  ),
  attackCase("processes", "more rights, by asking for them", async (trial) => {
    const { value } = await trial.attack(
      `const names = ["read", "write", "net", "env", "run", "ffi", "sys", "import"];\nconst states = await Promise.all(names.map((name: any) => Deno.permissions.request({ name }).then(({ state }) => state, () => "denied")));\nreturn names.filter((_, at) => states[at] === "granted");`,
    );
    trial.expect(value === undefined || (Array.isArray(value) && value.length === 0), "no right to be granted", value);
  }),
  attackCase("processes", "flags of the engine that take its walls down", async (trial) => {
    const { value } = await trial.attack(`const found = [];
try { for (const flag of ["--allow-natives-syntax", "--no-wasm-bounds-checks", "--no-wasm-trap-handler", "--no-sandbox"]) ${node("v8")}.setFlagsFromString(flag); } catch {}
try { eval("%GetOptimizationStatus(() => 1)"); found.push("natives"); } catch {}
const bytes = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 1, 6, 1, 96, 1, 127, 1, 127, 3, 2, 1, 0, 5, 3, 1, 0, 1, 7, 5, 1, 1, 108, 0, 0, 10, 9, 1, 7, 0, 32, 0, 40, 2, 0, 11]);
try { (new WebAssembly.Instance(new WebAssembly.Module(bytes)).exports as any).l(0x100000); found.push("memory"); } catch {}
return found;`);
    trial.expect(value === undefined || (Array.isArray(value) && value.length === 0), "none to be down", value);
  }),
];
