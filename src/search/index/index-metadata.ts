/** The metadata of an index. Immutable: a change is a new value in the cluster state. */

import type { JsonObject } from '../request/json-object.ts'
import { defaultRoutingShards } from '../routing/routing.ts'

/** Flat settings: `index.number_of_shards` → `1`; lists stay lists. */
export type FlatSettings = Readonly<Record<string, string | readonly string[]>>

export interface AliasMetadata {
  readonly filter?: JsonObject
  readonly index_routing?: string
  readonly search_routing?: string
  readonly is_write_index?: boolean
  readonly is_hidden?: boolean
}

export interface IndexMetadata {
  readonly name: string
  readonly uuid: string
  readonly creationDate: number
  readonly isOpen: boolean
  /** With the prefix `index.`, without the settings that every index has. */
  readonly settings: FlatSettings
  readonly mappings: JsonObject
  readonly aliases: Readonly<Record<string, AliasMetadata>>
  readonly version: number
  readonly mappingVersion: number
  readonly settingsVersion: number
  readonly aliasesVersion: number
  readonly rollovers?: Readonly<Record<string, JsonObject>>
}

export function settingOf(metadata: IndexMetadata, name: string): string | undefined {
  const value = Object.hasOwn(metadata.settings, name) ? metadata.settings[name] : undefined
  return typeof value === 'string' ? value : undefined
}

/** A setting that is a list, or a text with commas. */
export function settingListOf(metadata: IndexMetadata, name: string): readonly string[] | undefined {
  const value = Object.hasOwn(metadata.settings, name) ? metadata.settings[name] : undefined
  if (Array.isArray(value)) return value.map(String)
  return typeof value === 'string' ? value.split(',') : undefined
}

function numberOf(metadata: IndexMetadata, name: string, standard: number): number {
  const value = settingOf(metadata, name)
  return value === undefined ? standard : Number(value)
}

export function shardCount(metadata: IndexMetadata): number {
  return numberOf(metadata, 'index.number_of_shards', 1)
}

export function replicaCount(metadata: IndexMetadata): number {
  return numberOf(metadata, 'index.number_of_replicas', 1)
}

export function routingShards(metadata: IndexMetadata): number {
  return numberOf(metadata, 'index.number_of_routing_shards', defaultRoutingShards(shardCount(metadata)))
}

/** Hidden indices are not matched by wildcards unless requested. */
export function isHidden(metadata: IndexMetadata): boolean {
  return settingOf(metadata, 'index.hidden') === 'true' || metadata.name.startsWith('.')
}
