/** The file threads start from: beside this one in the sources, at the top of `dist/` when built. */
const here = import.meta.url

const file = here.endsWith('.ts') ? './entry.ts' : here.includes('/chunks/') ? '../thread.js' : './thread.js'

export const threadEntry = new URL(file, here)
