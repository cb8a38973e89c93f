/** Packages that users install beside millrace when they want the plugins that need them (optional peers). */

type Load = (name: string) => Promise<unknown>

interface PeerSettings<T> {
  /** An export of the package. A CommonJS package whose exports Node cannot name has them under `default` only. */
  readonly member?: keyof T
  readonly load?: Load
}

/** `purpose` is the beginning of the message that says what is missing, such as `Kafka is read`. */
export async function loadPeer<T>(
  name: string,
  purpose: string,
  { member, load = importPeer }: PeerSettings<T> = {},
): Promise<T> {
  let loaded: T & { default?: T }
  try {
    loaded = (await load(name)) as T & { default?: T }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const isMissing = /MODULE_NOT_FOUND/.test(String(code))
    throw new Error(
      `${purpose} through the package \`${name}\`, which ${isMissing ? 'is not installed' : `could not be loaded: ${message}`}; install it beside millrace: npm install ${name}`,
      { cause: error },
    )
  }
  return member !== undefined && loaded[member] !== undefined ? loaded : (loaded.default ?? loaded)
}

/** A sentence for the page of a plugin. */
export const clientPackage = (name: string) =>
  `The client is the package \`${name}\`, which has to be installed beside millrace.`

/** The name is no constant to the bundler: the package stays where its user installed it. */
export function importPeer(name: string): Promise<unknown> {
  return import(/* @vite-ignore */ name)
}
