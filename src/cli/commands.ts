/** Our own commands, beside Logstash's flags. */
export interface Command {
  name: string
  doc: string
  run(args: readonly string[]): Promise<number>
}

export const commands: Command[] = [
  {
    name: 'keystore',
    doc: 'Manages secrets for ${NAME} in configurations: create, add, list, remove.',
    run: async (args) => (await import('./keystore.ts')).keystoreCommand(args),
  },
]
