// The floor of starting and of idling: Node itself, with no program. These are command lines, because a program
// file of our own would already cost more than `-e 0`.
export const bareStart = [process.execPath, '-e', '0']
export const bareIdle = [process.execPath, '-e', 'setInterval(() => {}, 60_000)']
