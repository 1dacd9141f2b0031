import { beforeAll, describe, expect, test } from "vitest";
import type { Memory } from "../src/memory/open-memory.ts";
import { engines } from "./engines.ts";
import { useEngine } from "./use-engine.ts";

/** A note, and a question about it that shares no whole word of a script without spaces. */
const notes: readonly (readonly [label: string, note: string, question: string])[] = [
  ["zh", "我们的服务器在法兰克福的数据中心", "数据中心在哪里"],
  ["ja", "次回の会議は金曜日の午後に京都で開く", "金曜日の会議はどこ"],
  ["th", "ลูกค้าชอบกาแฟดำไม่ใส่น้ำตาล", "กาแฟแบบไหน"],
  ["ko", "프로젝트의 마감일은 다음 주 화요일이다", "마감일이 언제인가"],
  ["ar", "يفضل المدير الاجتماعات القصيرة في الصباح", "اجتماع المدير"],
  ["ru", "Заказчики любят короткие отчёты", "отчет для заказчика"],
  ["el", "Οι πελάτες πληρώνουν με τραπεζική κατάθεση", "πληρωμή πελάτη"],
  ["de", "Die Verträge liegen im Büro von Frau Müller", "vertrag bei frau muller"],
  ["es", "La reunión mensual será en la oficina de Bogotá", "reunion en bogota"],
  ["identifier", "call getUserById before maxOutputChars is set", "get_user_by_id"],
  ["fullwidth", "Ｋｕｂｅｒｎｅｔｅｓ runs in two zones", "kubernetes"],
];

describe.each(engines)("$name", (engine) => {
  const { open } = useEngine(engine);
  let memory: Memory;
  beforeAll(async () => {
    memory = await open({ owner: "polyglot", actor: "agent" });
    for (const [label, content] of notes) await memory.manager.write({ label, content });
  });

  test.each(notes)("a note in %s is found first", async (label, _note, question) => {
    const [first] = await memory.manager.search(question);
    expect(first?.label).toBe(label);
  });
});
