/** The output of `dispatch-memory help`. */
export const HELP = `dispatch-memory: look after the memory of an agent

Usage: dispatch-memory COMMAND [arguments] [options]

  pending                       proposals that wait for you, each with its diff
  approve ID... | --all         carry proposals out
                                --edit FILE approves one with another text
  reject ID REASON              turn a proposal down; the agent reads the reason
  vouch LABEL                   make a block's text your own word: it is shown, and trusted from then on
  extend ID DAYS                give a proposal more time
  list                          every block; --tier core|working|archival
  show LABEL                    one block with its whole text
  history [LABEL]               changes, latest first
                                --limit N --actor NAME --session NAME --since TIME
  undo SEQ...                   reverse changes, all of them or none
  undo --actor NAME | --session NAME [--since TIME]
  export [FILE]                 everything as JSON Lines
  backup DIRECTORY              copy a memory of a directory, all owners, while it is used
  import FILE                   add the texts of an export ("-" reads what is piped in)
                                --restore brings a backup of your own back whole
  forget LABEL | --actor NAME | --match TEXT
                                delete for good; needs --yes
  verify                        check that nobody changed the history
                                --head SEQ:HASH checks a head noted earlier, too
  help                          this text

Options:
  --memory URL    a directory or a postgres:// URL; default $DISPATCH_MEMORY, else ./memory
  --owner NAME    whose memory; default "default"
  --as NAME       your name in the history; default "person"
  --reason TEXT   said in the history
  --json          results as JSON, one value a line

Colours are off where NO_COLOR is set or the output is no terminal.
Exit codes: 0 done, 1 refused or not found, 2 wrong usage, 3 the memory cannot be opened.

Examples:
  dispatch-memory pending --memory ./agent-memory
  dispatch-memory approve 3f2a --reason "as agreed"
  dispatch-memory undo --actor researcher --since 2026-01-31T14:00:00Z
  dispatch-memory export backup.jsonl
  dispatch-memory import backup.jsonl --restore --memory ./copy
  dispatch-memory forget --match ann@example.com --yes
`;
