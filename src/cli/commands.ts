/** Our own commands, beside Logstash's flags. */
export interface Command {
  name: string
  doc: string
  /** In a few words, for the screen of `--help`. */
  brief: string
  run(args: readonly string[]): Promise<number>
}

export const commands: Command[] = [
  {
    name: 'completion',
    doc: 'Prints a script that completes commands and flags in bash, zsh or fish.',
    brief: 'for bash, zsh and fish',
    run: async (args) => (await import('./reference/completion.ts')).completionCommand(args),
  },
  {
    name: 'diff',
    doc: 'Runs two configurations on the same events and shows what changes.',
    brief: 'two configurations',
    run: async (args) => (await import('./configs/diff.ts')).diffCommand(args),
  },
  {
    name: 'dlq',
    doc: 'Looks after dead letter queues: list, show, replay, purge.',
    brief: 'dead letters',
    run: async (args) => (await import('./queues/dlq.ts')).dlqCommand(args),
  },
  {
    name: 'docs',
    doc: 'Prints the reference page of a plugin.',
    brief: 'options of a plugin',
    run: async (args) => (await import('./reference/plugin-docs.ts')).docsCommand(args),
  },
  {
    name: 'doctor',
    doc: 'Says which configurations of a folder run here, and what stands in the way of the others.',
    brief: 'what runs here of a folder',
    run: async (args) => (await import('./doctor/doctor.ts')).doctorCommand(args),
  },
  {
    name: 'explain',
    doc: 'Shows what a configuration comes to: files, plan, branches no event can take.',
    brief: 'files, plan, dead parts',
    run: async (args) => (await import('./configs/explain.ts')).explainCommand(args),
  },
  {
    name: 'fmt',
    doc: 'Formats configurations; comments and meaning stay.',
    brief: 'format configurations',
    run: async (args) => (await import('./configs/fmt.ts')).fmtCommand(args),
  },
  {
    name: 'grok',
    doc: 'Tries grok expressions on lines, and explains the lines that do not match.',
    brief: 'try an expression',
    run: async (args) => (await import('./configs/grok.ts')).grokCommand(args),
  },
  {
    name: 'init',
    doc: 'Asks three questions and writes a configuration that runs.',
    brief: 'a first configuration',
    run: async (args) => (await import('./configs/init.ts')).initCommand(args),
  },
  {
    name: 'keystore',
    doc: 'Manages secrets for ${NAME} in configurations: create, add, list, remove.',
    brief: 'secrets for ${NAME}',
    run: async (args) => (await import('./keystore.ts')).keystoreCommand(args),
  },
  {
    name: 'migrate',
    doc: 'Moves documents between the embedded store and a cluster while writes go on.',
    brief: 'to a cluster and back',
    run: async (args) => (await import('./documents/migrate.ts')).migrateCommand(args),
  },
  {
    name: 'queue',
    doc: 'Looks after persisted queues: check, repair, export, drain, import from Logstash.',
    brief: 'check, repair, import',
    run: async (args) => (await import('./queues/queue.ts')).queueCommand(args),
  },
  {
    name: 'search',
    doc: 'Finds documents of a store from the terminal.',
    brief: 'find documents',
    run: async (args) => (await import('./documents/search.ts')).searchCommand(args),
  },
  {
    name: 'store',
    doc: 'Looks after the files of the embedded store: check, repair, export.',
    brief: 'check, repair, export',
    run: async (args) => (await import('./documents/store.ts')).storeCommand(args),
  },
  {
    name: 'tap',
    doc: 'Shows events of a running pipeline before and after a plugin.',
    brief: 'live events of a plugin',
    run: async (args) => (await import('./observe/tap.ts')).tapCommand(args),
  },
  {
    name: 'test',
    doc: 'Runs test cases of a configuration, also those of Logstash Filter Verifier.',
    brief: 'run test cases',
    run: async (args) => (await import('./test/test.ts')).testCommand(args),
  },
  {
    name: 'top',
    doc: 'Shows how the pipelines of a node do, ours or Logstash.',
    brief: 'rates, queues, cost',
    run: async (args) => (await import('./observe/top.ts')).topCommand(args),
  },
  {
    name: 'user',
    doc: 'Manages who may use the node when security is on: add, passwd, roles, remove, list.',
    brief: 'who may use the node',
    run: async (args) => (await import('./user.ts')).userCommand(args),
  },
]
