import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { arbitraryNonsense } from './arbitrary-config.ts'
import { renderDiagnostic } from './diagnostic.ts'
import { diagnose, hintFor } from './hints.ts'
import { parse } from './parser.ts'
import { SyntaxFailure } from './syntax-failure.ts'

function failureOf(text: string): SyntaxFailure {
  try {
    parse(text)
  } catch (failure) {
    if (failure instanceof SyntaxFailure) return failure
  }
  throw new Error(`parses: ${text}`)
}

const hint = (text: string): string | undefined => hintFor(text, failureOf(text))
const inIf = (condition: string): string | undefined => hint(`filter { if ${condition} { drop { } } }`)
const inMutate = (options: string): string | undefined => hint(`filter { mutate { ${options} } }`)

describe('hints about the file', () => {
  it('byte order mark', () => {
    expect(hint('\ufeffinput { }')).toBe(
      'the file begins with a byte order mark; save it as UTF-8 without one',
    )
  })

  it('other words at the top', () => {
    expect(hint('ouput { }')).toBe('did you mean "output"?')
    expect(hint('codec { }')).toBe('only input, filter and output can stand here')
    expect(hint('filter { } }')).toBe('this "}" closes nothing: there is one too many')
    expect(hint('filter { }\nmutate { }')).toBe(
      'only input, filter and output can stand here; is there a "}" too many before it?',
    )
  })

  it('foreign characters and comments', () => {
    expect(inMutate('a => “x”')).toBe('this is a typographic quote; write a plain "')
    expect(inMutate('a => ‘x’')).toBe("this is a typographic quote; write a plain '")
    expect(inMutate('a\u00a0=> 1')).toBe(
      'this is not an ordinary blank (it may come from a web page); replace it',
    )
    expect(inMutate('// no')).toBe('a comment begins with "#"')
    expect(hint('input { stdin { }; }')).toBe('there is no ";" in this language; remove it')
  })
})

describe('hints about braces', () => {
  it('names the brace that is never closed', () => {
    expect(hint('input {\n  stdin {\n')).toBe('the "{" of "stdin" in line 2 is never closed')
    expect(hint('filter {\n  if "x" in [tags] {\n')).toBe('the "{" of "if" in line 2 is never closed')
  })

  it('guesses by indentation which one it is', () => {
    expect(hint('filter {\n  if [a] {\n    mutate { }\n}\n')).toBe(
      'the "{" of "if" in line 2 is never closed',
    )
    expect(hint('filter {\n  mutate {\n    add_tag => ["a"]\n}\noutput { stdout { } }\n')).toBe(
      '"output" in line 5 stands inside the "{" of "mutate" in line 2: is a "}" missing before it?',
    )
  })

  it('a section inside a plugin', () => {
    expect(hint('input {\n  stdin {\n    a => 1\noutput {\n}')).toBe(
      '"output" in line 4 stands inside the "{" of "stdin" in line 2: is a "}" missing before it?',
    )
  })

  it('a condition or a plugin inside a plugin', () => {
    expect(hint('filter {\n  mutate {\n    if [a] { } } }')).toBe(
      'a condition cannot stand inside the "{" of "mutate" in line 2: close it first',
    )
    expect(hint('filter {\n  mutate { a => 1\n  grok { } }')).toBe(
      'write "=>" behind grok, or close the "{" of "mutate" in line 2 before it',
    )
  })

  it('else without if', () => {
    expect(hint('filter {\n  if 1 == 1 {\n    plugin {}\n  else {\n    plugin2 {} } }')).toBe(
      '"else" in line 4 does not follow an "if" block: is a "}" missing before it?',
    )
  })

  it('square brackets', () => {
    expect(inMutate('a => ["x"')).toBe('the "[" in line 1 is not closed')
  })
})

describe('hints about strings', () => {
  it('says where an open string began', () => {
    expect(hint('filter {\n  mutate { a => "x\n } }')).toBe(
      'the string that begins in line 2, column 17 is not closed',
    )
    expect(hint('filter { if [a] =~ /x {\n } }')).toBe(
      'the pattern that begins in line 1, column 20 is not closed',
    )
  })

  it('explains the backslash at the end', () => {
    expect(inMutate("a => 'x\\\\'")).toBe(
      "the string that begins in line 1, column 24 is not closed: \\' is always an escaped quote, a string cannot end in a backslash",
    )
    expect(inMutate('gsub => ["a", "\\\\", "/"]')).toBe(
      'the string that begins in line 1, column 33 ends here: \\" is always an escaped quote, a string cannot end in a backslash',
    )
  })

  it('finds the line where a quote is missing', () => {
    expect(hint('filter {\n  date { match => ["a", "UNIX] }\n  date { match => ["b", "x"] }\n}')).toBe(
      'the string that ends here began in line 2: a quote is missing there',
    )
  })
})

describe('hints about values', () => {
  it('commas', () => {
    expect(inMutate('add_field => { "a" => "b", "c" => "d" }')).toBe(
      'the entries of a hash are parted by blanks; remove the ","',
    )
    expect(inMutate('a => 1, b => 2')).toBe('options are parted by blanks; remove the ","')
    expect(inMutate('a => ["x", ]')).toBe('remove the "," before the "]"')
    expect(inMutate('a => ["x" "y"]')).toBe('a "," is missing between two items of the list')
  })

  it('the arrow', () => {
    expect(inMutate('codec "json"')).toBe('write "=>" between codec and its value')
    expect(inMutate('codec = "json"')).toBe('write "=>" instead of "="')
    expect(inMutate('codec: "json"')).toBe('write "=>" instead of ":"')
    expect(inMutate('=> 1')).toBe('a name is missing before "=>"')
    expect(inMutate('add.field => 1')).toBe('a name with "." in it needs quotes')
  })

  it('words that need quotes', () => {
    expect(inMutate('a => ${VAR}')).toBe('put the variable in quotes: "${VAR}"')
    expect(inMutate('a => t')).toBe('a word without quotes needs two characters or more; write "t" in quotes')
    expect(inMutate('a => { b => 1 }')).toBe(
      'a word without quotes needs two characters or more; write "b" in quotes',
    )
    expect(inMutate('a => { b.c => 1 }')).toBe('put the key in quotes: "b.c"')
    expect(inMutate('a => 127.0.0.1')).toBe('put the value in quotes: "127.0.0.1"')
    expect(inMutate('a => /var/log/x.log')).toBe('put the value in quotes: "/var/log/x.log"')
    expect(inMutate('a => localhost:9200')).toBe('put the value in quotes: "localhost:9200"')
  })

  it('numbers, missing values, missing blanks', () => {
    expect(inMutate('a => .5')).toBe('a number begins with a digit: 0.5')
    expect(inMutate('a => +1')).toBe('write the number without "+": 1')
    expect(inMutate('a => ')).toBe('the value of a is missing')
    expect(inMutate('a => "x"b => 2')).toBe('a blank is missing between two options')
    expect(inMutate('a => 1# c\n b => 2')).toBe('put a blank before the "#"')
  })

  it('plugin names', () => {
    expect(hint('input { st.din { } }')).toBe('the name of a plugin has only letters, digits, "_" and "-"')
    expect(hint('input { stdin }')).toBe('a "{" is missing behind "stdin"')
  })
})

describe('hints about conditions', () => {
  it('operators', () => {
    expect(inIf('[a] = "b"')).toBe('write "==" to compare')
    expect(inIf('[a] === "b"')).toBe('write "==" to compare')
    expect(inIf('[a] <> "b"')).toBe('write "!=" for "is not"')
    expect(inIf('[a] && [b]')).toBe('write "and" instead of "&&"')
    expect(inIf('[a] || [b]')).toBe('write "or" instead of "||"')
    expect(inIf('[a] AND [b]')).toBe('operators are written in lower case: "and"')
    expect(inIf('[a] OR [b]')).toBe('operators are written in lower case: "or"')
    expect(inIf('[a] == 1 in [b]')).toBeUndefined()
    expect(inIf('[a] < 5 - 1')).toBe('there is no arithmetic in conditions')
  })

  it('else if', () => {
    expect(hint('filter { if [a] {} elsif [b] {} }')).toBe('write "else if"')
    expect(hint('filter { if [a] {} elif [b] {} }')).toBe('write "else if"')
  })

  it('not', () => {
    const alone = 'there is no "not" on its own; write ![field] or !( … )'
    expect(inIf('not [a]')).toBe(alone)
    expect(inIf('not ([a] == 1)')).toBe(alone)
    expect(inIf('[b] and not [a]')).toBe(alone)
    expect(inIf('(not [a])')).toBe(alone)
    expect(inIf('[a] not\tin [b]')).toBe('write "not in" with one blank between the words')
    expect(inIf('!"a"')).toBe('behind "!" stands a field in brackets, ![field], or parentheses, !( … )')
    expect(inIf('![a] == 5')).toBe('"!" takes the field alone; write !([a] == … )')
  })

  it('words without quotes or brackets', () => {
    expect(inIf('[type] == apache')).toBe(
      'put the word in quotes, "apache", or in brackets if it is a field, [apache]',
    )
    expect(inIf('type == "a"')).toBe('a field is written in brackets: [type]')
    expect(inIf('a == "b"')).toBe('a field is written in brackets: [a]')
    expect(inIf('[a,b]')).toBe('a field inside a field is written [outer][inner]')
  })

  it('patterns and missing sides', () => {
    expect(inIf('[a] =~ [b]')).toBe('the right side is a pattern: /…/ or a string')
    expect(inIf('[a] =~ /x/i')).toBe('a pattern takes no letters behind it; write /(?i)…/ to ignore case')
    expect(inIf('[a] ==')).toBe('the right side of "==" is missing')
    expect(hint('filter { if { drop{} } }')).toBe('"if" in line 1 has no condition')
  })
})

describe('diagnose', () => {
  it('gives the failure as a diagnostic', () => {
    const text = 'input { stdin { }; }'
    const failure = failureOf(text)
    expect(diagnose(text, failure)).toEqual({
      severity: 'error',
      code: 'syntax',
      message: failure.message,
      line: 1,
      column: 18,
      start: 17,
      end: 18,
      hint: 'there is no ";" in this language; remove it',
    })
  })

  it('can be drawn for any text that fails', () => {
    fc.assert(
      fc.property(arbitraryNonsense, (text) => {
        try {
          parse(text)
        } catch (failure) {
          expect(failure).toBeInstanceOf(SyntaxFailure)
          const diagnostic = diagnose(text, failure as SyntaxFailure)
          expect(renderDiagnostic(diagnostic, text, 'main.conf')).toContain(
            `--> main.conf:${diagnostic.line}:${diagnostic.column}`,
          )
        }
      }),
      { numRuns: 1000 },
    )
  })
})
