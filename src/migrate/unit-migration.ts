/**
 * The way of one index or data stream: made at the target, copied, caught up, compared while writes go on, and, when the
 * source takes no more writes, copied to the end and checked. Documents that were compared before need no second look:
 * those written since are looked at one by one, and equal counts say that none was deleted.
 */
import { type Comparison, compareSides } from './comparison.ts'
import { walkDocuments } from './document-walk.ts'
import { type WriteFailure, writeDocuments } from './document-writes.ts'
import {
  createIndex,
  finishSettings,
  type IndexDefinition,
  putAliases,
  putMapping,
  quietIndex,
  readIndex,
} from './index-setup.ts'
import type { IndexState, StateFile } from './migration-state.ts'
import type { Pace } from './pace.ts'
import type { StoredDocument } from './raw-hits.ts'
import { part, type SearchStore } from './search-store.ts'
import { type SettledPair, settleDocuments } from './settlement.ts'
import { visibleCheckpoints } from './shard-walk.ts'
import type { Unit } from './units.ts'

export interface UnitContext {
  readonly source: SearchStore
  readonly target: SearchStore
  readonly file: StateFile
  readonly workers: number
  readonly pace: Pace
  /** May an index of the same name at the target be deleted? */
  readonly mayReplace: boolean
  /** How often the marks are written at most. */
  readonly checkpointMillis: number
  tell(line: string): void
  /** Documents that were read and written, for the progress. */
  copied(count: number): void
  failed(failures: readonly WriteFailure[]): void
}

/** Why an index cannot be moved; the others can. */
export class UnitRefused extends Error {
  override readonly name = 'UnitRefused'
}

/** A catch-up that wrote no more than this ends the repetition. */
const smallPass = 2000
const maxPasses = 20
const maxComparisons = 5

export class UnitMigration {
  readonly unit: Unit
  readonly #context: UnitContext
  readonly #pair: SettledPair
  /** Texts of the source's mappings that the target has. */
  readonly #mappings = new Map<string, string>()
  #failures = 0
  #savedAt = 0

  constructor(unit: Unit, context: UnitContext) {
    this.unit = unit
    this.#context = context
    const { source, target } = context
    this.#pair = { source, target, name: unit.name, isStream: unit.isStream }
  }

  get failures(): number {
    return this.#failures
  }

  /** Makes the target's index, or finds the one that an earlier run has made. */
  async prepare(): Promise<void> {
    const { source, target, file, mayReplace, tell } = this.#context
    const { name, indices, isStream } = this.unit
    const definitions = await Promise.all(indices.map((index) => this.#definition(index)))
    const { state } = file
    const known = definitions.map(({ uuid }, place) => state.indices[indices[place]!]?.uuid === uuid)
    const isMade = state.made.includes(name)
    const path = isStream ? `/_data_stream/${part(name)}` : `/${part(name)}`
    const isThere = (await target.find(isStream ? path : `${path}/_settings`)) !== undefined
    // An index that was deleted and made anew at the source since an earlier run is another one.
    const isAnother = isMade && !isStream && known.includes(false)
    if (isThere && !isMade && !mayReplace)
      throw new UnitRefused(`${name} exists at ${target.url} already; --replace deletes it there first`)
    if (isThere && (!isMade || isAnother)) await target.json('DELETE', path)
    if (!isMade || isAnother || !isThere) {
      for (const index of indices) delete state.indices[index]
      state.made = [...new Set([...state.made, name])]
      file.save()
      const dropped = isStream ? await this.#makeStream() : await createIndex(target, name, definitions[0]!)
      for (const one of dropped) tell(`${name}: the target does not know ${one}`)
    }
    for (const [place, index] of indices.entries()) this.#stateOf(index, definitions[place]!)
    file.save()
    for (const index of indices) await visibleCheckpoints(source, index)
  }

  /** Copies what is there, and repeats that for what came meanwhile until little comes. */
  async copy(): Promise<void> {
    for (let pass = 0; pass < maxPasses; pass++) if ((await this.#pass()) <= smallPass) return
  }

  /**
   * Compares everything that is copied, and settles what differs; writes may go on meanwhile. Repeats that when there was
   * too much to settle. What still differs at the end is left to a comparison without writes.
   */
  async compare(): Promise<Comparison> {
    const { source, target, file } = this.#context
    const { name, indices } = this.unit
    for (let round = 1; ; round++) {
      const through = new Map<string, number[]>()
      // The source is read up to where it is copied to.
      for (const index of indices) through.set(index, [...file.state.indices[index]!.copied])
      await Promise.all([...indices.map((index) => source.refresh(index)), target.refresh(name)])
      const comparison = await this.#compareAll(true, through)
      const { left, failures } = await settleDocuments(this.#pair, comparison.ids)
      this.#note(failures)
      const isEqual = comparison.isWhole && left.length === 0 && this.#failures === 0
      if (isEqual) for (const index of indices) file.state.indices[index]!.compared = through.get(index)!
      file.save()
      if (isEqual || this.#failures > 0 || round === maxComparisons) return comparison
      await this.copy()
    }
  }

  /** Copies and checks what came since the comparison, so that little is left for the time without writes. */
  async catchUp(): Promise<void> {
    const { target, file } = this.#context
    const { name, indices } = this.unit
    await this.copy()
    if (!this.isCompared) return
    await target.refresh(name)
    const marks = indices.map((index) => [...file.state.indices[index]!.copied])
    // One that changes all the time has a number above the marks, and is looked at again.
    if ((await this.#checkRecent()).length > 0 || this.#failures > 0) return
    for (const [place, index] of indices.entries()) file.state.indices[index]!.compared = marks[place]!
    file.save()
  }

  get isCompared(): boolean {
    const { state } = this.#context.file
    return this.unit.indices.every((index) => state.indices[index]?.compared !== undefined)
  }

  /**
   * The last pass, when the source takes no writes: returns how many documents are the same on both sides. Throws when
   * they are not.
   */
  async finish(isFull: boolean): Promise<{ documents: number; checksum: string | undefined }> {
    const { source, target } = this.#context
    const { name } = this.unit
    await this.#pass()
    await target.refresh(name)
    const differing = this.isCompared ? await this.#checkRecent() : []
    if (differing.length > 0) throw this.#unequal(differing)
    let [documents, there] = await Promise.all([source.count(name), target.count(name)])
    let checksum: string | undefined
    const comparesSources = isFull || !this.isCompared
    if (comparesSources || documents !== there) {
      // Each document that was written is the same: without sources the ones that were deleted are found.
      const found = await this.#compareAll(comparesSources)
      const { left, failures } = await settleDocuments(this.#pair, found.ids)
      this.#note(failures)
      // Nothing is written meanwhile: those that were named are the same now, and the others were before.
      if (left.length > 0 || !found.isWhole) throw this.#unequal(left)
      if (comparesSources) checksum = found.checksum
      ;[documents, there] = await Promise.all([source.count(name), target.count(name)])
      if (documents !== there)
        throw new Error(`${name}: ${documents} documents at the source, ${there} at the target`)
    }
    if (this.#failures > 0) throw new Error(`${name}: ${this.#failures} documents were refused by the target`)
    return { documents, checksum }
  }

  /** Settings that were put off, and aliases. */
  async dress(ownBlocks: ReadonlySet<string>): Promise<void> {
    const { target } = this.#context
    const places = await this.#targetIndices()
    for (const [place, index] of this.unit.indices.entries()) {
      const definition = await this.#definition(index)
      const at = this.unit.isStream ? places[place] : this.unit.name
      if (at === undefined) continue
      await finishSettings(target, at, definition, ownBlocks.has(index))
      if (!this.unit.isStream) await putAliases(target, at, definition.aliases)
    }
    await target.refresh(this.unit.name)
  }

  /** One walk over what was written since the last one; returns how many documents that were. */
  async #pass(): Promise<number> {
    const { source, target, file, workers, pace, copied } = this.#context
    const { name, indices, isStream } = this.unit
    let count = 0
    for (const [place, index] of indices.entries()) {
      const state = file.state.indices[index]!
      const through = await visibleCheckpoints(source, index)
      const isLatest = !isStream || (await this.#isLatest(place))
      await walkDocuments(source, index, state.copied, through, {
        workers,
        visit: async (documents) => {
          if (documents.length === 0) return
          await pace.take(documents.length)
          await this.#syncMapping(index)
          if (isLatest) this.#note((await writeDocuments(target, name, isStream, documents)).failures)
          else {
            await target.refresh(name)
            await this.#settle(documents)
          }
          count += documents.length
          copied(documents.length)
        },
        reached: (shard, mark) => {
          state.copied[shard] = mark
          this.#saveSoon()
        },
      })
      for (const [shard, mark] of through.entries())
        state.copied[shard] = Math.max(state.copied[shard] ?? -1, mark)
      file.save()
    }
    return count
  }

  /** Looks at every document written since the comparison, at both ends; returns those that cannot be made the same. */
  async #checkRecent(): Promise<string[]> {
    const { source, file, workers } = this.#context
    const left: string[] = []
    for (const index of this.unit.indices) {
      const { copied, compared = [] } = file.state.indices[index]!
      await walkDocuments(source, index, compared, copied, {
        workers,
        visit: async (documents) => {
          left.push(...(await this.#settle(documents)))
        },
      })
    }
    return left
  }

  async #settle(documents: readonly StoredDocument[]): Promise<readonly string[]> {
    if (documents.length === 0) return []
    const settlement = await settleDocuments(
      this.#pair,
      documents.map(({ id }) => id),
    )
    this.#note(settlement.failures)
    return settlement.left
  }

  async #compareAll(
    hasSources: boolean,
    through?: ReadonlyMap<string, readonly number[]>,
  ): Promise<Comparison> {
    const { source, target, workers } = this.#context
    const { indices, isStream } = this.unit
    return compareSides(
      { store: source, indices, ...(through !== undefined && { through }) },
      { store: target, indices: await this.#targetIndices() },
      { workers: Math.max(1, workers >> 1), hasVersions: !isStream, hasSources },
    )
  }

  async #definition(index: string): Promise<IndexDefinition> {
    const found = await readIndex(this.#context.source, index)
    if (found === undefined) throw new UnitRefused(`${index} is gone from the source`)
    if ((found.mappings['_source'] as { enabled?: unknown } | undefined)?.enabled === false)
      throw new UnitRefused(`${index} keeps no sources of its documents (_source.enabled: false)`)
    return found
  }

  #stateOf(index: string, { uuid }: IndexDefinition): IndexState {
    const { indices } = this.#context.file.state
    indices[index] ??= { uuid, copied: [] }
    return indices[index]
  }

  /** Documents never come to the target before the fields of their mapping. */
  async #syncMapping(index: string): Promise<void> {
    const { source, target, tell } = this.#context
    const { status, text } = await source.text('GET', `/${part(index)}/_mapping`)
    if (status !== 200 || this.#mappings.get(index) === text) return
    const { mappings } = (JSON.parse(text) as Record<string, { mappings: Record<string, unknown> }>)[index]!
    const dropped = await putMapping(target, this.unit.name, mappings)
    if (!this.#mappings.has(index))
      for (const one of dropped) tell(`${index}: the target does not know ${one}`)
    this.#mappings.set(index, text)
  }

  async #makeStream(): Promise<string[]> {
    const { target } = this.#context
    const { name } = this.unit
    try {
      await target.json('PUT', `/_data_stream/${part(name)}`)
    } catch (error) {
      if (!/already exists/.test((error as Error).message)) throw error
    }
    for (const index of await this.#targetIndices()) await quietIndex(target, index)
    return []
  }

  /**
   * Whether documents of this backing index go to the one that the target's stream writes to. The target gets as many
   * backing indices as the source has; a new one when its turn comes.
   */
  async #isLatest(place: number): Promise<boolean> {
    const { target } = this.#context
    let places = await this.#targetIndices()
    while (places.length < place + 1) {
      await target.json('POST', `/${part(this.unit.name)}/_rollover`)
      places = await this.#targetIndices()
      await quietIndex(target, places.at(-1)!)
    }
    return places.length === place + 1
  }

  async #targetIndices(): Promise<string[]> {
    const { name, isStream } = this.unit
    if (!isStream) return [name]
    const found = await this.#context.target.json<{
      data_streams: { indices: { index_name: string }[] }[]
    }>('GET', `/_data_stream/${part(name)}`)
    return found.data_streams[0]!.indices.map(({ index_name }) => index_name)
  }

  #note(failures: readonly WriteFailure[]): void {
    if (failures.length === 0) return
    this.#failures += failures.length
    this.#context.failed(failures)
    // What was refused is looked for again by the next run.
    for (const index of this.unit.indices) delete this.#context.file.state.indices[index]?.compared
  }

  #saveSoon(): void {
    const { file, checkpointMillis } = this.#context
    const now = performance.now()
    if (now - this.#savedAt < checkpointMillis) return
    this.#savedAt = now
    file.save()
  }

  #unequal(ids: readonly string[]): Error {
    const named = ids.slice(0, 10).join(', ')
    return new Error(`${this.unit.name}: ${ids.length} documents are not the same at both ends: ${named}`)
  }
}
