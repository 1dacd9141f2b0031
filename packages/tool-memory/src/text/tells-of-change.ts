/** Words that announce a change, in some languages. */
const CHANGE =
  /(?<![\p{L}\p{N}])(?:now|no longer|any ?more|instead|since|from \p{L}+ on|as of|after all|new|newly|latest|moved?|moving|changed?|changes|switched|replaced|replaces|renamed|updated?|upgraded|raised|lowered|increased|reduced|cut|extended|corrected|correction|postponed|delayed|pushed|rescheduled|rebooked|migrated|relocated|took over|handed over|became|quit|sold|jetzt|nunmehr|neue?[rsnm]?|umgezogen|verlegt|verschoben|geändert|ersetzt|statt|seit|ab|nicht mehr|ahora|nuev[oa]s?|cambi\p{L}*|mud[óo]|desde|ya no|maintenant|désormais|nouve\p{L}*|chang\p{L}*|déménag\p{L}*|depuis|augmente|adesso|nuov[oaie]|agora|nov[oa]|теперь|нов\p{L}+|перее\p{L}+|смен\p{L}+|измен\p{L}+|вместо|больше не|τώρα|νέ[οαες]\p{L}*|άλλαξε|μετακόμισε|الآن|انتقل\p{L}*|تغير\p{L}*|جديد\p{L}*)(?![\p{L}\p{N}])|変更|変わ|新し|現在|今は|改为|改成|搬到|推迟|更新|变更|现在|新的|바뀌|바뀐|변경|옮겼|새로|이제|ใหม่|เปลี่ยน|ขึ้นเป็น|ตอนนี้/iu;

/** Whether a text says that something changed. */
export function tellsOfChange(text: string): boolean {
  return CHANGE.test(text);
}
