/** Stands where there is no search store: the config check, tests, a node that has it switched off. */
import type { StoreLink } from './define.ts'

export const noStore: StoreLink = { connect: () => Promise.resolve(undefined) }
