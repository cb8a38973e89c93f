/**
 * A migration from one end to another: definitions and documents are copied and compared while writes go on, then the
 * source is blocked for writing, the rest is copied and everything checked. Whatever goes wrong, the source takes writes
 * again and the marks are kept: a second run goes on.
 */
import { setTimeout as wait } from 'node:timers/promises'
import type { Files } from '../storage/files.ts'
import { copyDefinitions } from './definitions.ts'
import type { WriteFailure } from './document-writes.ts'
import { StateFile } from './migration-state.ts'
import { Pace } from './pace.ts'
import { part, Refusal, type SearchStore } from './search-store.ts'
import { isSettled } from './shard-walk.ts'
import { type UnitContext, UnitMigration, UnitRefused } from './unit-migration.ts'
import { selectUnits, type Unit } from './units.ts'

export interface MigrationOptions {
  readonly source: SearchStore
  readonly target: SearchStore
  /** Patterns of names. */
  readonly patterns: readonly string[]
  /** Where the file with the marks is. */
  readonly files: Files
  readonly directory: string
  readonly workers: number
  /** Documents in a second. */
  readonly rate?: number | undefined
  readonly mayReplace: boolean
  /** The source takes writes again afterwards. */
  readonly keepsSource: boolean
  /** Compares every document once more while the source is blocked. */
  readonly verifiesAll: boolean
  readonly isDryRun: boolean
  readonly checkpointMillis?: number
  readonly signal?: AbortSignal | undefined
  tell(line: string): void
  progress(progress: MigrationProgress): void
}

export interface MigrationProgress {
  readonly copied: number
  /** Documents of the source when the migration began; more may come. */
  readonly total: number
}

interface MigrationResult {
  readonly isComplete: boolean
  readonly documents: number
  readonly failures: number
  /** How long the source took no writes. */
  readonly blockedMillis: number
}

const maxToldFailures = 10
const maxNewRounds = 5
const settleMillis = 60_000
const underWayMillis = 1000

export async function migrate(options: MigrationOptions): Promise<MigrationResult> {
  return new Migration(options).run()
}

/** Gives up a migration: the source takes writes again and the marks are forgotten. */
export async function abandon({ source, target, files, directory }: MigrationOptions): Promise<void> {
  const file = new StateFile(files, directory, source.url, target.url)
  await unblock(source, file)
  file.remove()
}

class Migration {
  readonly #options: MigrationOptions
  readonly #file: StateFile
  readonly #context: UnitContext
  readonly #refused: string[] = []
  /** Definitions that were told to be others at the target. */
  readonly #left = new Set<string>()
  #copied = 0
  #total = 0
  #failures = 0
  #blockedMillis = 0

  constructor(options: MigrationOptions) {
    this.#options = options
    const { source, target, files, directory, workers, rate, mayReplace, signal, tell } = options
    this.#file = new StateFile(files, directory, source.url, target.url)
    this.#context = {
      source,
      target,
      file: this.#file,
      workers,
      pace: new Pace(rate, signal),
      mayReplace,
      checkpointMillis: options.checkpointMillis ?? 1000,
      tell,
      copied: (count) => {
        this.#copied += count
        options.progress({ copied: this.#copied, total: this.#total })
      },
      failed: (failures) => this.#tellFailures(failures),
    }
  }

  async run(): Promise<MigrationResult> {
    const { source, target, patterns, tell, isDryRun } = this.#options
    const [here, there] = await Promise.all([identityOf(source), identityOf(target)])
    if (here === there) throw new Error(`${source.url} and ${target.url} are the same store`)
    if (this.#file.isResumed) tell(`going on with an earlier run (${this.#file.path})`)
    const { units, closed } = await selectUnits(source, patterns)
    for (const name of closed) this.#refuse(`${name} is closed`)
    for (const { name } of units) {
      await source.refresh(name)
      this.#total += await source.count(name)
    }
    if (isDryRun) return this.#describe(units)
    const moved = await this.#copyAll(units)
    const isComplete = await this.#switch(moved)
    return {
      isComplete,
      documents: this.#total,
      failures: this.#failures,
      blockedMillis: this.#blockedMillis,
    }
  }

  /** Indices first, so that no template of the source has a say in them; streams need theirs. */
  async #copyAll(units: readonly Unit[]): Promise<UnitMigration[]> {
    const { tell } = this.#options
    const all = units.map((unit) => new UnitMigration(unit, this.#context))
    const prepared: UnitMigration[] = []
    for (const one of all.filter(({ unit }) => !unit.isStream))
      if (await this.#prepared(one)) prepared.push(one)
    await this.#copyDefinitions()
    for (const one of all.filter(({ unit }) => unit.isStream))
      if (await this.#prepared(one)) prepared.push(one)
    for (const one of prepared) {
      const before = this.#copied
      await one.copy()
      tell(`${one.unit.name}: ${this.#copied - before} documents copied`)
    }
    for (const one of prepared) {
      if (one.isCompared) continue
      const { documents, checksum, ids } = await one.compare()
      const brought = `${ids.length} were brought up to date`
      tell(`${one.unit.name}: ${documents} documents compared (${checksum}), ${brought}`)
    }
    for (const one of prepared) await one.catchUp()
    return prepared
  }

  async #prepared(unit: UnitMigration): Promise<boolean> {
    try {
      await unit.prepare()
      return true
    } catch (error) {
      if (!(error instanceof UnitRefused)) throw error
      this.#refuse(error.message)
      return false
    }
  }

  async #copyDefinitions(): Promise<void> {
    const { source, target, mayReplace, tell } = this.#options
    const report = await copyDefinitions(source, target, { mayReplace, isDryRun: false })
    for (const one of report.copied) tell(`${one} copied`)
    for (const one of report.different) {
      if (this.#left.has(one)) continue
      this.#left.add(one)
      tell(`${one} is another one at the target and was left; --replace puts ours there`)
    }
    for (const one of report.refused) this.#refuse(one)
  }

  /** The source takes no writes from here on; the rest is copied and everything checked. */
  async #switch(copied: readonly UnitMigration[]): Promise<boolean> {
    const { source, patterns, keepsSource, verifiesAll, tell } = this.#options
    const moved = [...copied]
    if (this.#failures > 0 || this.#refused.length > 0) {
      tell('not everything could be copied; nothing was switched')
      await unblock(source, this.#file)
      return false
    }
    const began = performance.now()
    let isComplete = false
    try {
      await this.#block(moved)
      for (let round = 0; round < maxNewRounds; round++) {
        const known = new Map(moved.map((one) => [one.unit.name, one.unit.indices.length]))
        const { units } = await selectUnits(source, patterns)
        const fresh = units.filter(({ name, indices }) => known.get(name) !== indices.length)
        if (fresh.length === 0) break
        // Indices that came meanwhile, and streams that got another one.
        for (const one of await this.#copyAll(fresh)) {
          const place = moved.findIndex(({ unit }) => unit.name === one.unit.name)
          if (place < 0) moved.push(one)
          else moved[place] = one
        }
        await this.#block(moved)
      }
      this.#total = 0
      for (const one of moved) {
        const { documents, checksum } = await one.finish(verifiesAll)
        this.#total += documents
        tell(
          `${one.unit.name}: ${documents} documents are the same${checksum === undefined ? '' : ` (${checksum})`}`,
        )
      }
      const own = new Set(this.#file.state.blocked)
      for (const one of moved) await one.dress(own)
      await this.#copyDefinitions()
      isComplete = this.#refused.length === 0
    } finally {
      if (!isComplete || keepsSource) await unblock(source, this.#file)
      this.#blockedMillis = performance.now() - began
    }
    if (isComplete) this.#file.remove()
    return isComplete
  }

  async #block(units: readonly UnitMigration[]): Promise<void> {
    const { source, signal } = this.#options
    const { state } = this.#file
    for (const index of units.flatMap(({ unit }) => unit.indices)) {
      if (!state.blocked.includes(index)) {
        const settings = await source.json<Record<string, { settings: Record<string, unknown> }>>(
          'GET',
          `/${part(index)}/_settings?flat_settings=true`,
        )
        if (String(settings[index]?.settings['index.blocks.write']) === 'true') continue
        state.blocked.push(index)
        this.#file.save()
      }
      await this.#blockIndex(index)
      const limit = Date.now() + settleMillis
      while (!(await isSettled(source, index))) {
        if (Date.now() > limit) throw new Error(`${index}: writes are still under way`)
        await wait(100, undefined, { signal })
      }
    }
  }

  /** The write index of a data stream takes the block as a setting only, which does not wait for writes under way. */
  async #blockIndex(index: string): Promise<void> {
    const { source, signal } = this.#options
    try {
      await source.json('PUT', `/${part(index)}/_block/write`)
    } catch (error) {
      if (!(error instanceof Refusal) || error.status >= 500) throw error
      await source.json('PUT', `/${part(index)}/_settings`, { 'index.blocks.write': true })
      await wait(underWayMillis, undefined, { signal })
    }
  }

  async #describe(units: readonly Unit[]): Promise<MigrationResult> {
    const { source, target, tell, mayReplace } = this.#options
    for (const { name, isStream, indices } of units) {
      const isThere = (await target.find(`/${part(name)}/_settings`)) !== undefined
      const made = this.#file.state.made.includes(name)
      const remark = !isThere
        ? ''
        : made
          ? ', begun'
          : mayReplace
            ? ', replaces the one there'
            : ', EXISTS THERE'
      const what = isStream ? `data stream of ${indices.length} indices` : 'index'
      tell(`${name}: ${what}, ${await source.count(name)} documents${remark}`)
      if (isThere && !made && !mayReplace) this.#refused.push(name)
    }
    const report = await copyDefinitions(source, target, { mayReplace, isDryRun: true })
    for (const one of report.copied) tell(one)
    for (const one of report.different) tell(`${one} is another one at the target`)
    return { isComplete: this.#refused.length === 0, documents: this.#total, failures: 0, blockedMillis: 0 }
  }

  #refuse(what: string): void {
    this.#refused.push(what)
    this.#options.tell(what)
  }

  #tellFailures(failures: readonly WriteFailure[]): void {
    for (const { index, id, reason } of failures.slice(0, Math.max(0, maxToldFailures - this.#failures)))
      this.#options.tell(`${index}/${id}: ${reason}`)
    this.#failures += failures.length
  }
}

/** Also after an interruption: nobody is to find the source blocked by a migration that does not run. */
async function unblock(blocked: SearchStore, file: StateFile): Promise<void> {
  const { state } = file
  const source = blocked.uninterrupted()
  for (const index of [...state.blocked]) {
    if ((await source.find(`/${part(index)}/_settings`)) !== undefined)
      await source.json('PUT', `/${part(index)}/_settings`, { 'index.blocks.write': null })
    state.blocked = state.blocked.filter((one) => one !== index)
    file.save()
  }
}

async function identityOf(store: SearchStore): Promise<string> {
  const { cluster_uuid } = await store.json<{ cluster_uuid?: string }>('GET', '/')
  return cluster_uuid ?? store.url
}
