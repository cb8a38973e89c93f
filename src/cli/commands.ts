/** Our own commands, beside Logstash's flags. */
export interface Command {
  name: string
  doc: string
  run(args: readonly string[]): Promise<number>
}

export const commands: Command[] = [
  {
    name: 'dlq',
    doc: 'Looks after dead letter queues: list, show, replay, purge.',
    run: async (args) => (await import('./dlq.ts')).dlqCommand(args),
  },
  {
    name: 'doctor',
    doc: 'Says which configurations of a folder run here, and what stands in the way of the others.',
    run: async (args) => (await import('./doctor.ts')).doctorCommand(args),
  },
  {
    name: 'grok',
    doc: 'Tries grok expressions on lines, and explains the lines that do not match.',
    run: async (args) => (await import('./grok.ts')).grokCommand(args),
  },
  {
    name: 'keystore',
    doc: 'Manages secrets for ${NAME} in configurations: create, add, list, remove.',
    run: async (args) => (await import('./keystore.ts')).keystoreCommand(args),
  },
  {
    name: 'queue',
    doc: 'Looks after persisted queues: check, repair, export, drain, import from Logstash.',
    run: async (args) => (await import('./queue.ts')).queueCommand(args),
  },
  {
    name: 'store',
    doc: 'Looks after the files of the embedded store: check, repair, export.',
    run: async (args) => (await import('./store.ts')).storeCommand(args),
  },
  {
    name: 'user',
    doc: 'Manages who may use the node when security is on: add, passwd, roles, remove, list.',
    run: async (args) => (await import('./user.ts')).userCommand(args),
  },
]
