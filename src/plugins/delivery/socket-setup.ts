/** What happens between opening a socket and using it: for a limited time, and a socket that fails is destroyed. */
import type { Socket } from 'node:net'

export async function setUp<Result>(
  socket: Socket,
  limit: { readonly milliseconds: number; readonly message: string },
  work: () => Promise<Result>,
): Promise<Result> {
  const giveUp = setTimeout(() => socket.destroy(new Error(limit.message)), limit.milliseconds)
  try {
    return await work()
  } catch (error) {
    socket.on('error', () => undefined)
    socket.destroy()
    throw error
  } finally {
    clearTimeout(giveUp)
  }
}
