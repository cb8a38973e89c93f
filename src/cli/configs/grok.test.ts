import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readLines } from '../line-reader.ts'
import { grokCommand } from './grok.ts'

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-grok-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function* chunks(...texts: string[]): AsyncGenerator<string> {
  yield* texts
}

async function grok(args: readonly string[], input = '') {
  let output = ''
  let errors = ''
  const code = await grokCommand(args, {
    input: chunks(input),
    write: (text) => {
      output += text
    },
    writeError: (text) => {
      errors += text
    },
  })
  return { code, output, errors }
}

describe('millrace grok', () => {
  it('prints the fields of a match', async () => {
    const { code, output } = await grok(
      ['%{IP:client} %{INT:bytes:int} %{NUMBER:[a][b]:float}'],
      '10.0.0.1 7 1.5\n',
    )
    expect(code).toBe(0)
    expect(output).toBe('line 1: match\n  client  "10.0.0.1"\n  bytes   7\n  a       {"b":1.5}\n')
  })

  it('explains a failure', async () => {
    const { code, output } = await grok(
      ['%{IP:client} %{INT:n} %{WORD:w}'],
      '10.0.0.1 2024-02-06T12:14:14Z x\n',
    )
    expect(code).toBe(1)
    expect(output.split('\n')).toEqual([
      'line 1: no match for %{IP:client} %{INT:n} %{WORD:w}',
      '  10.0.0.1 2024-02-06T12:14:14Z x',
      '               ^ column 14',
      '  matched  %{IP:client} "10.0.0.1", %{INT:n} "2024"',
      '  failed   " "',
      '  found    "-02-06T12:14:14Z x"',
      '  try      %{TIMESTAMP_ISO8601:n} instead of %{INT:n}: it takes "2024-02-06T12:14:14Z"',
      '',
    ])
  })

  it('names the definition, and the pieces around the one that failed', async () => {
    const { output } = await grok(['%{SYSLOGTIMESTAMP:ts} x'], 'Fbe  6 12:14:14 x')
    expect(output).toContain('  failed   %{MONTH} in %{SYSLOGTIMESTAMP:ts}\n')
    expect(output).toContain('MONTH is \\b(?:[Jj]')
    expect(output).toContain('  found    "Fbe  6 12:14:14 x"\n')
  })

  it('counts lines, and reads a file', async () => {
    const file = join(folder, 'lines.txt')
    writeFileSync(file, 'a 1\r\nb\nc 3')
    const { code, output } = await grok(['^%{WORD:w} %{INT:n}$', file])
    expect(code).toBe(1)
    expect(output).toMatch(
      /line 1: match[\s\S]*line 2: no match[\s\S]*line 3: match[\s\S]*2 of 3 lines match\n$/,
    )
    expect(output).toContain('  found    the end of the line\n')
  })

  it('prints JSON', async () => {
    const { output } = await grok(['--json', '%{INT:n:int} %{WORD:w}'], '12 a\n12 -\n')
    const [match, failure] = output
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown)
    expect(match).toEqual({ line: 1, matched: true, fields: { n: 12, w: 'a' } })
    expect(failure).toMatchObject({
      line: 2,
      matched: false,
      start: 0,
      stop: 3,
      failed: ['%{WORD:w}'],
      found: '-',
    })
  })

  it('tries further expressions, and explains the one that gets furthest', async () => {
    const args = ['%{IP:ip} x', '-e', '%{INT:n} y', '--pattern=%{WORD:w}z']
    expect((await grok(args, '5 y')).output).toContain('n  "5"')
    expect((await grok(args, '10.0.0.1 q')).output).toContain('no match for %{IP:ip} x')
  })

  it('knows definitions and pattern files', async () => {
    writeFileSync(join(folder, 'mine'), '# a comment\nFRUIT apple|pear\n')
    const args = [
      '--patterns-dir',
      join(folder, 'mine'),
      '--definition',
      'DISH=%{FRUIT} pie',
      '^%{DISH:dish}$',
    ]
    expect(await grok(args, 'pear pie')).toMatchObject({ code: 0 })
    expect(
      await grok(
        ['--ecs', '%{COMMONAPACHELOG}'],
        'h - - [10/Oct/2000:13:55:36 -0700] "GET /a HTTP/1.0" 200 12',
      ),
    ).toMatchObject({
      output: expect.stringContaining('http') as string,
    })
  })

  it('takes a field of JSON events', async () => {
    const { code, output } = await grok(
      ['--field', '[log][text]', '^%{INT:n}$'],
      '{"log":{"text":"5"}}\n{"log":{}}\nno json\n',
    )
    expect(code).toBe(1)
    expect(output).toMatch(/line 1: match[\s\S]*line 2: no match[\s\S]*line 3: no JSON object\n1 of 3/)
  })

  it.each<[string[], string]>([
    [[], 'no pattern given'],
    [['a', 'b', 'c'], "too many arguments: 'c'"],
    [['--what', 'a'], "Unrecognised option '--what'"],
    [['a', '--definition', 'x'], "expected NAME=REGEX, got 'x'"],
    [['a', '--timeout', 'soon'], "'soon' is no number"],
    [['a', '-e'], "option '-e': no value provided"],
    [['%{NOPE}'], 'pattern %{NOPE} not defined'],
    [['%{TIMESTAMP_ISO801:x}'], 'not defined. Did you mean %{TIMESTAMP_ISO8601}?'],
    [['(a'], 'end pattern with unmatched parenthesis: /(a/'],
    [['a', '/does/not/exist'], 'ENOENT'],
  ])('refuses %j', async (args, message) => {
    const { code, errors } = await grok(args)
    expect(code).toBe(2)
    expect(errors).toMatch(/^ERROR: /)
    expect(errors).toContain(message)
  })

  it('prints its usage', async () => {
    expect(await grok(['--help'])).toMatchObject({
      code: 0,
      output: expect.stringContaining('Usage: millrace grok') as string,
    })
  })

  it('keeps what a line holds away from the terminal', async () => {
    const { output } = await grok(['^%{INT:n}$'], 'a\u001b[31mb\tc\u0007\n')
    expect(output).not.toMatch(/[\u001b\u0007\t]/)
  })

  it('goes on after a search that takes too long', async () => {
    const { code, output } = await grok(
      ['--timeout', '20', '^(?<x>(?:a|a|b)+)+$'],
      `${'a'.repeat(3000)}!\n aa\naa\n`,
    )
    expect(code).toBe(1)
    expect(output).toContain('line 3: match')
  })
})

describe('lines', () => {
  async function all(longest: number, ...texts: string[]) {
    const found = []
    for await (const line of readLines(chunks(...texts), longest)) found.push(line)
    return found
  }

  it('are put together from chunks', async () => {
    expect(await all(100, 'a', 'b\r', '\nc\n\nd')).toEqual(
      ['ab', 'c', '', 'd'].map((text) => ({ text, isCut: false })),
    )
  })

  it('are cut at the limit', async () => {
    expect(await all(3, 'abcd', 'efgh\nxyz\n')).toEqual([
      { text: 'abc', isCut: true },
      { text: 'xyz', isCut: false },
    ])
  })
})
