/** The package `imapflow` as far as the input uses it. */
export const packageName = 'imapflow'

interface ImapMessage {
  readonly uid: number
  readonly source?: Buffer
}

export interface ImapClient {
  connect(): Promise<void>
  getMailboxLock(folder: string): Promise<{ release(): void }>
  search(query: Record<string, unknown>, options: { uid: boolean }): Promise<number[] | false | undefined>
  fetch(range: string, query: Record<string, unknown>, options: { uid: boolean }): AsyncIterable<ImapMessage>
  messageFlagsAdd(range: string, flags: string[], options: { uid: boolean }): Promise<boolean>
  /** Ends the work with the folder and removes what is marked as deleted. */
  mailboxClose(): Promise<boolean>
  logout(): Promise<void>
  close(): void
  on(event: string, listener: (error: Error) => void): unknown
  readonly mailbox?: { readonly uidValidity?: bigint } | false
}

interface ImapPackage {
  readonly ImapFlow: new (options: Record<string, unknown>) => ImapClient
}

export async function loadImap(): Promise<ImapPackage> {
  try {
    const loaded = (await import(packageName)) as ImapPackage & { default?: ImapPackage }
    return loaded.ImapFlow === undefined ? loaded.default! : loaded
  } catch (error) {
    throw new Error(
      `IMAP is spoken through the package \`${packageName}\`; install it beside millrace: npm install ${packageName}. ` +
        `It could not be loaded: ${(error as Error).message}`,
      { cause: error },
    )
  }
}
