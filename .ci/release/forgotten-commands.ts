/** The part of a command's manifest that names the packages in its files. */
export interface Manifest {
  readonly name: string;
  readonly devDependencies: Readonly<Record<string, string>>;
}

interface Release {
  readonly name: string;
  readonly oldVersion?: string | undefined;
  readonly newVersion?: string | undefined;
}

/**
 * Commands whose files hold code of a package that is released without them: their users would keep the old code. One text each.
 */
export function forgottenCommands(releases: readonly Release[], commands: readonly Manifest[]): readonly string[] {
  const released = new Set(releases.flatMap((one) => (one.oldVersion === one.newVersion ? [] : [one.name])));
  return commands.flatMap(({ name, devDependencies }) => {
    const held = Object.keys(devDependencies).filter((one) => released.has(one));
    if (held.length === 0 || released.has(name)) return [];
    return [
      `Cannot release ${held.join(" and ")} without ${name}, whose files hold its code: name it in a changeset too`,
    ];
  });
}
