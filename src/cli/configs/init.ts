/** `millrace init`: three questions, and a configuration that runs. Answers can be given as flags. */
import { access, writeFile } from 'node:fs/promises'
import { inspect } from '../../threads/configuration/inspection-job.ts'
import { type Arguments, refuse } from '../arguments.ts'
import { type CommandOutput, processOutput } from '../command-output.ts'
import { runCommand } from '../run-command.ts'
import { ProcessTerminal, type Terminal } from '../terminal.ts'
import { readConfiguration } from './given-configuration.ts'

const usage = `Usage: millrace init [FILE] [--input KIND] [--format KIND] [--output KIND]

Asks where events come from, what they look like and where they go, and writes a configuration that runs.
FILE is pipeline.conf unless said. What is given as a flag is not asked.

    --input     ${'beats, tcp, http, file, stdin'}
    --format    ${'plain, json, apache, syslog'}
    --output    ${'store, elasticsearch, stdout'}
`

interface Choice {
  readonly name: string
  readonly doc: string
  readonly text: string
}

interface Question {
  readonly flag: string
  readonly text: string
  readonly choices: readonly Choice[]
}

const questions: readonly Question[] = [
  {
    flag: '--input',
    text: 'Where do events come from?',
    choices: [
      { name: 'beats', doc: 'Filebeat or another Beat, port 5044', text: 'beats {\n    port => 5044\n  }' },
      {
        name: 'tcp',
        doc: 'lines over TCP, port 5000',
        text: 'tcp {\n    host => "127.0.0.1"\n    port => 5000\n    codec => CODEC\n  }',
      },
      {
        name: 'http',
        doc: 'requests over HTTP, port 8080',
        text: 'http {\n    host => "127.0.0.1"\n    port => 8080\n    codec => CODEC\n  }',
      },
      {
        name: 'file',
        doc: 'files, /var/log/*.log',
        text: 'file {\n    path => "/var/log/*.log"\n    codec => CODEC\n  }',
      },
      { name: 'stdin', doc: 'whatever is typed or piped in', text: 'stdin {\n    codec => CODEC\n  }' },
    ],
  },
  {
    flag: '--format',
    text: 'What do they look like?',
    choices: [
      { name: 'plain', doc: 'lines of text, kept as they are', text: '' },
      { name: 'json', doc: 'a JSON object per line', text: '' },
      {
        name: 'apache',
        doc: 'access logs of Apache or nginx',
        text: 'grok {\n    match => { "message" => "%{COMBINEDAPACHELOG}" }\n  }\n  date {\n    match => ["timestamp", "dd/MMM/yyyy:HH:mm:ss Z"]\n  }',
      },
      {
        name: 'syslog',
        doc: 'syslog lines',
        text: 'grok {\n    match => { "message" => "%{SYSLOGLINE}" }\n    overwrite => ["message"]\n  }\n  date {\n    match => ["timestamp", "MMM dd HH:mm:ss", "MMM  d HH:mm:ss"]\n  }',
      },
    ],
  },
  {
    flag: '--output',
    text: 'Where do they go?',
    choices: [
      {
        name: 'store',
        doc: 'the store inside, searched at port 9200 and /ui',
        text: 'millrace {\n    index => "logs-%{+YYYY.MM.dd}"\n  }',
      },
      {
        name: 'elasticsearch',
        doc: 'Elasticsearch or OpenSearch at localhost:9200',
        text: 'elasticsearch {\n    hosts => ["http://localhost:9200"]\n    index => "logs-%{+YYYY.MM.dd}"\n  }',
      },
      { name: 'stdout', doc: 'the terminal', text: 'stdout {\n    codec => rubydebug\n  }' },
    ],
  },
]

const rules = {
  usage,
  command: 'init',
  switches: ['--force'],
  values: questions.map(({ flag }) => flag),
}

export async function initCommand(
  args: readonly string[],
  output = processOutput(),
  terminal: Terminal = new ProcessTerminal(),
): Promise<number> {
  return runCommand(args, output, rules, async (given) => {
    const [file = 'pipeline.conf', ...more] = given.words
    if (more.length > 0) refuse('init', `one file is written, not ${given.words.length}`)
    const isThere = await access(file).then(
      () => true,
      () => false,
    )
    if (isThere && !given.has('--force')) refuse('init', `${file} exists already; --force replaces it`)
    const answers: Choice[] = []
    for (const question of questions) answers.push(await answerTo(question, given, output, terminal))
    terminal.close()
    const text = configText(answers as [Choice, Choice, Choice])
    await writeFile(file, text)
    const { settings, parts } = await readConfiguration(file, undefined)
    const { valid } = JSON.parse(await inspect({ kind: 'check', settings, parts })) as { valid: boolean }
    await output.print(`${file} is written${valid ? ' and checked' : ''}.\n\n    millrace -f ${file}\n`)
    return valid ? 0 : 1
  })
}

async function answerTo(
  { flag, text, choices }: Question,
  given: Arguments,
  output: CommandOutput,
  terminal: Terminal,
): Promise<Choice> {
  const named = given.value(flag)
  if (named !== undefined)
    return (
      choices.find(({ name }) => name === named) ??
      refuse('init', `option '${flag}': one of ${choices.map(({ name }) => name).join(', ')}`)
    )
  const lines = choices.map(({ name, doc }, index) => `  ${index + 1}. ${name.padEnd(14)} ${doc}`)
  await output.print(`${text}\n${lines.join('\n')}\n[1] `)
  for (;;) {
    const line = await terminal.readLine()
    const answer = (line ?? '').trim()
    const chosen =
      answer === ''
        ? choices[0]
        : (choices[Number(answer) - 1] ?? choices.find(({ name }) => name === answer))
    if (chosen !== undefined) {
      // What a pipe answers is not seen otherwise.
      if (!terminal.isInteractive) await output.print(`${chosen.name}\n`)
      return chosen
    }
    if (!terminal.isInteractive) refuse('init', `${answer} is none of the choices`)
    await output.print(`${answer} is none of the choices: 1 to ${choices.length}, or a name\n[1] `)
  }
}

function configText([input, format, output]: readonly [Choice, Choice, Choice]): string {
  const codec =
    format.name === 'json'
      ? input.name === 'tcp' || input.name === 'stdin'
        ? 'json_lines'
        : 'json'
      : 'plain'
  const parts = [
    `input {\n  ${input.text.replace('CODEC', codec)}\n}`,
    ...(format.text === '' ? [] : [`filter {\n  ${format.text}\n}`]),
    `output {\n  ${output.text}\n}`,
  ]
  return `${parts.join('\n\n')}\n`
}
