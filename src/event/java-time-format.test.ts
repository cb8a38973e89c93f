import { expect, test } from 'vitest'
import { compileJavaTimeFormat } from './java-time-format.ts'
import { parseTimestamp } from './parse-timestamp.ts'

/** What DateTimeFormatter.ofPattern(pattern, Locale.US).withZone(UTC) of JDK 17 gives. */
const thursday = '2015-10-01T05:06:07.089Z'
const onThursday: [pattern: string, text: string][] = [
  ['d', '1'],
  ['dd', '01'],
  ['a', 'AM'],
  ['G', 'AD'],
  ['GGGG', 'Anno Domini'],
  ['GGGGG', 'A'],
  ['y', '2015'],
  ['yy', '15'],
  ['yyy', '2015'],
  ['yyyy', '2015'],
  ['yyyyy', '02015'],
  ['u', '2015'],
  ['uuuuuuuuuu', '0000002015'],
  ['Y', '2015'],
  ['YY', '15'],
  ['YYY', '2015'],
  ['YYYYY', '02015'],
  ['D', '274'],
  ['DD', '274'],
  ['DDD', '274'],
  ['M', '10'],
  ['MM', '10'],
  ['MMM', 'Oct'],
  ['MMMM', 'October'],
  ['MMMMM', 'O'],
  ['L', '10'],
  ['LLL', 'Oct'],
  ['LLLL', 'October'],
  ['LLLLL', 'O'],
  ['Q', '4'],
  ['QQ', '04'],
  ['QQQ', 'Q4'],
  ['QQQQ', '4th quarter'],
  ['QQQQQ', '4'],
  ['q', '4'],
  ['qqq', 'Q4'],
  ['qqqq', '4th quarter'],
  ['qqqqq', '4'],
  ['w', '40'],
  ['ww', '40'],
  ['W', '1'],
  ['E', 'Thu'],
  ['EE', 'Thu'],
  ['EEE', 'Thu'],
  ['EEEE', 'Thursday'],
  ['EEEEE', 'T'],
  ['e', '5'],
  ['ee', '05'],
  ['eee', 'Thu'],
  ['eeee', 'Thursday'],
  ['eeeee', 'T'],
  ['c', '5'],
  ['ccc', 'Thu'],
  ['cccc', 'Thursday'],
  ['ccccc', 'T'],
  ['F', '1'],
  ['h', '5'],
  ['hh', '05'],
  ['K', '5'],
  ['KK', '05'],
  ['k', '5'],
  ['kk', '05'],
  ['H', '5'],
  ['HH', '05'],
  ['m', '6'],
  ['mm', '06'],
  ['s', '7'],
  ['ss', '07'],
  ['S', '0'],
  ['SSS', '089'],
  ['SSSSSSSSS', '089000000'],
  ['A', '18367089'],
  ['AAAAAAAAAAA', '00018367089'],
  ['n', '89000000'],
  ['nnnnnnnnnnn', '00089000000'],
  ['N', '18367089000000'],
  ['NNNNNNNNNNNNNNNN', '0018367089000000'],
  ['VV', 'Z'],
  ['v', 'Z'],
  ['vvvv', 'Z'],
  ['z', 'Z'],
  ['zz', 'Z'],
  ['zzz', 'Z'],
  ['zzzz', 'Z'],
  ['O', 'GMT'],
  ['OOOO', 'GMT'],
  ['X', 'Z'],
  ['XX', 'Z'],
  ['XXX', 'Z'],
  ['XXXX', 'Z'],
  ['XXXXX', 'Z'],
  ['x', '+00'],
  ['xx', '+0000'],
  ['xxx', '+00:00'],
  ['xxxx', '+0000'],
  ['xxxxx', '+00:00'],
  ['Z', '+0000'],
  ['ZZ', '+0000'],
  ['ZZZ', '+0000'],
  ['ZZZZ', 'GMT'],
  ['ZZZZZ', 'Z'],
  ['B', 'at night'],
  ['BBBB', 'at night'],
  ['BBBBB', 'at night'],
  ['g', '57296'],
  ['ggggggg', '0057296'],
  ['ppH', ' 5'],
  ['pppH', '  5'],
  ["yyyy-MM-dd'T'HH:mm:ss.SSSXXX", '2015-10-01T05:06:07.089Z'],
  ["''", "'"],
  ["'a''b'", "a'b"],
  ['[yyyy', '2015'],
  ['[yyyy]', '2015'],
  ['yyyy年', '2015年'],
  ["HH 'o''clock'", "05 o'clock"],
  ['yyyy.MM.dd', '2015.10.01'],
  ['ppppppppppppA', '    18367089'],
  ["yyyy-'W'ww-e", '2015-W40-5'],
  ["YYYY-'W'ww", '2015-W40'],
]

const otherTimes: [time: string, pattern: string, text: string][] = [
  ['2014-12-28T13:00:00.000000001Z', "uuuu-MM-dd'T'HH:mm:ss.SSSSSSSSS", '2014-12-28T13:00:00.000000001'],
  [
    '2014-12-28T13:00:00.000000001Z',
    'y|yy|yyy|yyyy|yyyyy|u|uu|uuuu|G|GGGG|GGGGG',
    '2014|14|2014|2014|02014|2014|14|2014|AD|Anno Domini|A',
  ],
  [
    '2014-12-28T13:00:00.000000001Z',
    'Y|YY|YYYY|w|ww|W|e|E|F|D|DD|DDD|g',
    '2015|15|2015|1|01|5|1|Sun|7|362|362|362|57019',
  ],
  [
    '2014-12-28T13:00:00.000000001Z',
    'h|hh|K|k|a|B|A|n|N|Q|QQQQ|LLL',
    '1|01|1|13|PM|in the afternoon|46800000|1|46800000000001|4|4th quarter|Dec',
  ],
  ['2016-12-31T23:59:59.999999999Z', "uuuu-MM-dd'T'HH:mm:ss.SSSSSSSSS", '2016-12-31T23:59:59.999999999'],
  [
    '2016-12-31T23:59:59.999999999Z',
    'y|yy|yyy|yyyy|yyyyy|u|uu|uuuu|G|GGGG|GGGGG',
    '2016|16|2016|2016|02016|2016|16|2016|AD|Anno Domini|A',
  ],
  [
    '2016-12-31T23:59:59.999999999Z',
    'Y|YY|YYYY|w|ww|W|e|E|F|D|DD|DDD|g',
    '2016|16|2016|53|53|5|7|Sat|3|366|366|366|57753',
  ],
  [
    '2016-12-31T23:59:59.999999999Z',
    'h|hh|K|k|a|B|A|n|N|Q|QQQQ|LLL',
    '11|11|11|23|PM|at night|86399999|999999999|86399999999999|4|4th quarter|Dec',
  ],
  ['0000-01-01T00:00:00Z', "uuuu-MM-dd'T'HH:mm:ss.SSSSSSSSS", '0000-01-01T00:00:00.000000000'],
  [
    '0000-01-01T00:00:00Z',
    'y|yy|yyy|yyyy|yyyyy|u|uu|uuuu|G|GGGG|GGGGG',
    '1|01|001|0001|00001|0|00|0000|BC|Before Christ|B',
  ],
  ['0000-01-01T00:00:00Z', 'Y|YY|YYYY|w|ww|W|e|E|F|D|DD|DDD|g', '0|00|0000|1|01|1|7|Sat|1|1|01|001|-678941'],
  ['0000-01-01T00:00:00Z', 'h|hh|K|k|a|B|A|n|N|Q|QQQQ|LLL', '12|12|0|24|AM|midnight|0|0|0|1|1st quarter|Jan'],
  ['-0005-03-01T12:00:00Z', "uuuu-MM-dd'T'HH:mm:ss.SSSSSSSSS", '-0005-03-01T12:00:00.000000000'],
  [
    '-0005-03-01T12:00:00Z',
    'y|yy|yyy|yyyy|yyyyy|u|uu|uuuu|G|GGGG|GGGGG',
    '6|06|006|0006|00006|-5|05|-0005|BC|Before Christ|B',
  ],
  [
    '-0005-03-01T12:00:00Z',
    'Y|YY|YYYY|w|ww|W|e|E|F|D|DD|DDD|g',
    '-5|05|-0005|9|09|1|4|Wed|1|60|60|060|-680708',
  ],
  [
    '-0005-03-01T12:00:00Z',
    'h|hh|K|k|a|B|A|n|N|Q|QQQQ|LLL',
    '12|12|0|12|PM|noon|43200000|0|43200000000000|1|1st quarter|Mar',
  ],
  ['+12015-06-30T18:30:00Z', "uuuu-MM-dd'T'HH:mm:ss.SSSSSSSSS", '+12015-06-30T18:30:00.000000000'],
  [
    '+12015-06-30T18:30:00Z',
    'y|yy|yyy|yyyy|yyyyy|u|uu|uuuu|G|GGGG|GGGGG',
    '12015|15|12015|+12015|12015|12015|15|+12015|AD|Anno Domini|A',
  ],
  [
    '+12015-06-30T18:30:00Z',
    'Y|YY|YYYY|w|ww|W|e|E|F|D|DD|DDD|g',
    '12015|15|+12015|27|27|5|3|Tue|2|181|181|181|3709628',
  ],
  [
    '+12015-06-30T18:30:00Z',
    'h|hh|K|k|a|B|A|n|N|Q|QQQQ|LLL',
    '6|06|6|18|PM|in the evening|66600000|0|66600000000000|2|2nd quarter|Jun',
  ],
  ['1969-12-31T23:59:59.500Z', "uuuu-MM-dd'T'HH:mm:ss.SSSSSSSSS", '1969-12-31T23:59:59.500000000'],
  [
    '1969-12-31T23:59:59.500Z',
    'y|yy|yyy|yyyy|yyyyy|u|uu|uuuu|G|GGGG|GGGGG',
    '1969|69|1969|1969|01969|1969|69|1969|AD|Anno Domini|A',
  ],
  [
    '1969-12-31T23:59:59.500Z',
    'Y|YY|YYYY|w|ww|W|e|E|F|D|DD|DDD|g',
    '1970|70|1970|1|01|5|4|Wed|3|365|365|365|40586',
  ],
  [
    '1969-12-31T23:59:59.500Z',
    'h|hh|K|k|a|B|A|n|N|Q|QQQQ|LLL',
    '11|11|11|23|PM|at night|86399500|500000000|86399500000000|4|4th quarter|Dec',
  ],
]

const wrong: [pattern: string, message: string][] = [
  ['b', 'Unknown pattern letter: b'],
  ['ddd', 'Too many pattern letters: d'],
  ['aa', 'Too many pattern letters: a'],
  ['DDDD', 'Too many pattern letters: D'],
  ['MMMMMM', 'Too many pattern letters: M'],
  ['QQQQQQ', 'Too many pattern letters: Q'],
  ['www', 'Too many pattern letters: w'],
  ['WW', 'Too many pattern letters: W'],
  ['EEEEEE', 'Too many pattern letters: E'],
  ['eeeeee', 'Too many pattern letters: e'],
  ['cc', 'Invalid pattern "cc"'],
  ['cccccc', 'Too many pattern letters: c'],
  ['FF', 'Too many pattern letters: F'],
  ['hhh', 'Too many pattern letters: h'],
  ['mmm', 'Too many pattern letters: m'],
  ['SSSSSSSSSS', 'Minimum width must be from 0 to 9 inclusive but was 10'],
  ['V', 'Pattern letter count must be 2: V'],
  ['VVV', 'Pattern letter count must be 2: V'],
  ['vv', 'Wrong number of pattern letters: v'],
  ['vvvvv', 'Wrong number of pattern letters: v'],
  ['zzzzz', 'Too many pattern letters: z'],
  ['OO', 'Pattern letter count must be 1 or 4: O'],
  ['OOOOO', 'Pattern letter count must be 1 or 4: O'],
  ['XXXXXX', 'Too many pattern letters: X'],
  ['xxxxxx', 'Too many pattern letters: x'],
  ['ZZZZZZ', 'Too many pattern letters: Z'],
  ['BB', 'Wrong number of pattern letters: B'],
  ['BBBBBB', 'Wrong number of pattern letters: B'],
  ['ppy', 'Cannot print as output of 4 characters exceeds pad width of 2'],
  ['p', "Pad letter 'p' must be followed by valid pad pattern: p"],
  ['p ', "Pad letter 'p' must be followed by valid pad pattern: p "],
  ['pp-H', "Pad letter 'p' must be followed by valid pad pattern: pp-H"],
  ["'", "Pattern ends with an incomplete string literal: '"],
  ["'abc", "Pattern ends with an incomplete string literal: 'abc"],
  [']', 'Pattern invalid as it contains ] without previous ['],
  ['#', "Pattern includes reserved character: '#'"],
  ['{', "Pattern includes reserved character: '{'"],
  ['uuuuuuuuuuuuuuuuuuuu', 'The minimum width must be from 1 to 19 inclusive but was 20'],
  ['AAAAAAAAAAAAAAAAAAAA', 'The minimum width must be from 1 to 19 inclusive but was 20'],
  ['I', 'Unknown pattern letter: I'],
  ['ppp', "Pad letter 'p' must be followed by valid pad pattern: ppp"],
  ['pppA', 'Cannot print as output of 8 characters exceeds pad width of 3'],
  ['j', 'Unknown pattern letter: j'],
  ['C', 'Unknown pattern letter: C'],
  ['U', 'Unknown pattern letter: U'],
  ['P', 'Unknown pattern letter: P'],
  ['T', 'Unknown pattern letter: T'],
  ['J', 'Unknown pattern letter: J'],
  ['R', 'Unknown pattern letter: R'],
  ['l', 'Unknown pattern letter: l'],
  ['f', 'Unknown pattern letter: f'],
  ['i', 'Unknown pattern letter: i'],
  ['o', 'Unknown pattern letter: o'],
  ['r', 'Unknown pattern letter: r'],
  ['t', 'Unknown pattern letter: t'],
]

test.each(onThursday)('%s', (pattern, text) => {
  expect(compileJavaTimeFormat(pattern)(parseTimestamp(thursday)!)).toBe(text)
})

test.each(otherTimes)('%s as %s', (time, pattern, text) => {
  expect(compileJavaTimeFormat(pattern)(parseTimestamp(time)!)).toBe(text)
})

test.each(wrong)('%s is refused: %s', (pattern, message) => {
  expect(() => compileJavaTimeFormat(pattern)(parseTimestamp(thursday)!)).toThrow(new Error(message))
})

test('day periods are named by the hour, noon and midnight by the minute', () => {
  const format = compileJavaTimeFormat('B|BBBBB')
  const at = (time: string) => format(parseTimestamp(`2015-10-01T${time}Z`)!)
  expect(at('00:00:59')).toBe('midnight|mi')
  expect(at('00:01:00')).toBe('at night|at night')
  expect(at('06:00:00')).toBe('in the morning|in the morning')
  expect(at('12:00:30')).toBe('noon|n')
  expect(at('12:01:00')).toBe('in the afternoon|in the afternoon')
  expect(at('18:00:00')).toBe('in the evening|in the evening')
  expect(at('21:00:00')).toBe('at night|at night')
})

test('a format that was kept for one instant is right for the next', () => {
  const format = compileJavaTimeFormat("HH:mm:ss 'and' n")
  expect(format(parseTimestamp('2015-10-01T05:06:07.000000001Z')!)).toBe('05:06:07 and 1')
  expect(format(parseTimestamp('2015-10-01T05:06:07.000000002Z')!)).toBe('05:06:07 and 2')
  expect(format(parseTimestamp('2015-10-01T05:06:08Z')!)).toBe('05:06:08 and 0')
})
