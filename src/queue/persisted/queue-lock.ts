/** One writer per queue, as Logstash has it: the file `.lock` in the directory of the queue. */
import { DataDirectoryInUse, type DataLock, lockDataDirectory } from '../../storage/data-lock.ts'

export async function lockQueue(directory: string): Promise<DataLock> {
  try {
    return await lockDataDirectory(directory)
  } catch (error) {
    if (!(error instanceof DataDirectoryInUse)) throw error
    const message = `The queue failed to obtain exclusive access, cause: Lock held by another program on lock path: ${directory}/.lock`
    throw new Error(message, { cause: error })
  }
}
