import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { configureLogging, deprecationLogger, Logger, levels, resetLevels, setLevel } from './logger.ts'

let lines: string[] = []

beforeEach(() => {
  lines = []
  configureLogging({ level: 'info', format: 'plain', writeConsole: (line) => lines.push(line) })
})

afterEach(() => {
  configureLogging({ level: 'info', format: 'plain', fixDuplicateMessage: true, writeConsole: null })
})

const time = /^\[\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d,\d{3}\]/

describe('plain lines', () => {
  it('have the layout of Logstash', () => {
    const logger = new Logger('logstash.javapipeline').child({ pipelineId: 'main', pluginId: 'plugin_id' })
    logger.info('message', { key: 'value', 'pipeline.id': 'main' })
    expect(lines[0]).toMatch(time)
    expect(lines[0]?.replace(time, '')).toBe(
      '[INFO ][logstash.javapipeline    ][main][plugin_id] message {:key=>"value", "pipeline.id"=>"main"}\n',
    )
  })

  it('leave out ids and fields that are not there', () => {
    new Logger('logstash.agent').error('SIGTERM received. Shutting down.', {})
    expect(lines[0]?.replace(time, '')).toBe(
      '[ERROR][logstash.agent           ] SIGTERM received. Shutting down.\n',
    )
  })

  it('are in local time', () => {
    const before = new Date()
    new Logger('x').warn('now')
    const text = (lines[0] ?? '').slice(1, 24).replace(',', '.')
    expect(Math.abs(new Date(text).getTime() - before.getTime())).toBeLessThan(5000)
  })

  it('are bounded', () => {
    new Logger('x').info('m'.repeat(10_000_000), { value: 'v'.repeat(10_000_000), more: 1 })
    expect(lines[0]?.length).toBeLessThan(400_000)
  })
})

describe('what comes from events and requests', () => {
  it('cannot write lines of its own, nor give orders to a terminal', () => {
    const hostile =
      'x\r\n[2026-01-01T00:00:00,000][INFO ][logstash.agent           ] forged\x1b[2J\x07\u009b31m\u202e\0'
    new Logger('x').warn(`failed: ${hostile}`, { value: hostile })
    new Logger(`x${hostile}`, { pipelineId: hostile }).warn('m')
    for (const line of lines) {
      const text = line.slice(0, -1)
      expect(/[\0-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202e]/.test(text)).toBe(false)
      expect(text.split('\n').filter((part) => part.startsWith('[')).length).toBe(1)
    }
    expect(lines[0]).toContain('\\x1B[2J\\x07\\x9B31m\\u202E\\x00')
  })

  it('leaves texts of several lines as they are', () => {
    new Logger('x').error('Expected one of [ \\t]\n  input { stdin }\n\t^ here')
    expect(lines[0]).toContain('\n  input { stdin }\n\t^ here\n')
  })
})

describe('json lines', () => {
  it('have one object with logEvent', () => {
    configureLogging({ format: 'json', thread: '[main]>worker0' })
    new Logger('logstash.javapipeline', { pipelineId: 'main', pluginId: 'p' }).info('Pipeline started', {
      'pipeline.id': 'main',
      error: new RangeError('far'),
      big: 12345678901234567890n,
      state: Symbol('running'),
    })
    expect(lines[0]?.endsWith('}\n')).toBe(true)
    const parsed = JSON.parse(lines[0] ?? '')
    expect(Object.keys(parsed)).toEqual([
      'level',
      'loggerName',
      'timeMillis',
      'thread',
      'pipeline.id',
      'plugin.id',
      'logEvent',
    ])
    expect(parsed).toMatchObject({
      level: 'INFO',
      loggerName: 'logstash.javapipeline',
      thread: '[main]>worker0',
      logEvent: {
        message: 'Pipeline started',
        'pipeline.id': 'main',
        error: { exception: 'RangeError', message: 'far' },
        state: 'running',
      },
    })
    expect(lines[0]).toContain('"big":12345678901234567890')
  })

  it('rename a parameter called message', () => {
    configureLogging({ format: 'json' })
    const logger = new Logger('x')
    logger.info('first', { message: 'second' })
    expect(JSON.parse(lines[0] ?? '').logEvent).toEqual({ message: 'first', message_1: 'second' })
    configureLogging({ fixDuplicateMessage: false })
    logger.info('first', { message: 'second' })
    expect(lines[1]).toContain('"message":"first","message":"second"')
  })

  it('survive cycles', () => {
    configureLogging({ format: 'json' })
    const loop: Record<string, unknown> = {}
    loop['loop'] = loop
    new Logger('x').info('m', { loop })
    expect(JSON.parse(lines[0] ?? '').logEvent.loop).toEqual({ loop: '...' })
  })
})

describe('levels', () => {
  it('inherit along the dots of the name', () => {
    const tcp = new Logger('logstash.inputs.tcp')
    const other = new Logger('logstash.inputsx')
    expect(tcp.isEnabled('debug')).toBe(false)
    setLevel('logstash.inputs', 'debug')
    expect(tcp.isEnabled('debug')).toBe(true)
    expect(tcp.isEnabled('trace')).toBe(false)
    expect(other.isEnabled('debug')).toBe(false)
    expect(new Logger('logstash.inputs.beats').isEnabled('debug')).toBe(true)
  })

  it('let a child keep its own level', () => {
    const agent = new Logger('logstash.agent')
    setLevel('logstash.agent', 'ERROR')
    setLevel('logstash', 'TRACE')
    setLevel('', 'debug')
    expect(agent.isEnabled('warn')).toBe(false)
    expect(new Logger('elsewhere').isEnabled('debug')).toBe(true)
    resetLevels()
    expect(agent.isEnabled('warn')).toBe(true)
    expect(agent.isEnabled('debug')).toBe(false)
  })

  it('refuse unknown names with the text of the logging API', () => {
    expect(() => setLevel('x', 'nope')).toThrow('invalid level[nope] for logger[x]')
    expect(() => setLevel('x', 'constructor')).toThrow('invalid level[constructor] for logger[x]')
  })

  it('list the root and the default loggers', () => {
    const all = levels()
    expect(all.get('')).toBe('INFO')
    expect(all.get('slowlog')).toBe('TRACE')
    expect(all.get('deprecation')).toBe('WARN')
    expect(all.has('logstash.agent')).toBe(true)
    expect(all.has('logstash.runner')).toBe(true)
    const names = [...all.keys()]
    expect(names).toEqual([...names].sort())
    setLevel('logstash.agent', 'OFF')
    expect(levels().get('logstash.agent')).toBe('OFF')
  })

  it('print nothing that is off', () => {
    const logger = new Logger('logstash.quiet')
    logger.debug('hidden')
    logger.trace('hidden')
    expect(lines).toEqual([])
    deprecationLogger('logstash.settings').warn('shown')
    expect(lines[0]).toContain('[WARN ][deprecation.logstash.settings] shown')
  })
})
