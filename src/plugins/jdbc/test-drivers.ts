/** Stand-ins for the packages `pg` and `mysql2`, for tests only: they record statements and answer with given rows. */
import { EventEmitter } from 'node:events'
import { Readable } from 'node:stream'

export interface FakeDatabase {
  readonly statements: string[]
  readonly settings: Record<string, unknown>[]
  /** Rows for a statement, as texts by column. */
  answer: (statement: string) => Record<string, string | null>[]
  types: Readonly<Record<string, number | string>>
  /** How many of the next connections are refused. */
  refusals?: number
}

export function fakeDatabase(): FakeDatabase {
  return { statements: [], settings: [], answer: () => [], types: {} }
}

interface Types {
  getTypeParser(type: number): (text: string) => unknown
}

export function fakePg(database: FakeDatabase): unknown {
  return {
    Client: class extends EventEmitter {
      readonly #types: Types
      #cursor: Record<string, string | null>[] = []

      constructor(settings: Record<string, unknown>) {
        super()
        database.settings.push(settings)
        this.#types = settings['types'] as Types
      }

      async connect() {
        if ((database.refusals ?? 0) <= 0) return
        database.refusals = database.refusals! - 1
        throw new Error('refused')
      }

      async query({ text }: { text: string }) {
        database.statements.push(text)
        const declared = /CURSOR FOR ([\s\S]*)$/.exec(text)
        const fetched = /^FETCH FORWARD (\d+)/.exec(text)
        if (declared !== null) this.#cursor = [...database.answer(declared[1]!)]
        const rows =
          fetched !== null
            ? this.#cursor.splice(0, Number(fetched[1]))
            : declared
              ? []
              : database.answer(text)
        const names = Object.keys(rows[0] ?? {})
        return {
          fields: names.map((name) => ({ name })),
          rows: rows.map((row) =>
            names.map((name) => {
              const value = row[name]
              return value === null || value === undefined
                ? null
                : this.#types.getTypeParser(Number(database.types[name] ?? 25))(value)
            }),
          ),
        }
      }

      async end() {}
    },
  }
}

export function fakeMysql(database: FakeDatabase): unknown {
  return {
    createConnection(settings: Record<string, unknown>) {
      database.settings.push(settings)
      return {
        on() {},
        connect: (done: (error: null) => void) => done(null),
        end: (done: () => void) => done(),
        destroy() {},
        query(
          { sql, typeCast }: { sql: string; typeCast?: (field: unknown) => unknown },
          done?: (error: null, rows?: unknown) => void,
        ) {
          database.statements.push(sql)
          const rows = database.answer(sql).map((row) =>
            Object.fromEntries(
              Object.entries(row).map(([name, text]) => {
                const [type, length = '20'] = String(database.types[name] ?? 'VAR_STRING').split(':')
                const field = { name, type, length: Number(length), string: () => text }
                return [
                  name,
                  typeCast?.({ ...field, buffer: () => (text === null ? null : Buffer.from(text)) }),
                ]
              }),
            ),
          )
          done?.(null, rows)
          return { stream: () => Readable.from(rows) }
        },
      }
    },
  }
}
