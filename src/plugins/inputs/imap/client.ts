/** The package `imapflow` as far as the input uses it. */
import { loadPeer } from '../../packages/peer-package.ts'

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

export function loadImap(): Promise<ImapPackage> {
  return loadPeer<ImapPackage>(packageName, 'IMAP is spoken', { member: 'ImapFlow' })
}
