/** The files threads start from: beside the sources, at the top of `dist/` when built. */
const here = import.meta.url
const isSource = here.endsWith('.ts')
const top = here.includes('/chunks/') ? '..' : '.'

export const threadEntry = new URL(isSource ? './entry.ts' : `${top}/thread.js`, here)

export const storeEntry = new URL(isSource ? '../store.ts' : `${top}/store.js`, here)

export const mergeEntry = new URL(isSource ? '../merge.ts' : `${top}/merge.js`, here)

export const unpackEntry = new URL(isSource ? '../unpack.ts' : `${top}/unpack.js`, here)

export const readerEntry = new URL(isSource ? '../reader.ts' : `${top}/reader.js`, here)

export const workbenchEntry = new URL(isSource ? '../workbench.ts' : `${top}/workbench.js`, here)
