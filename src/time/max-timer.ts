/** The longest timer that Node.js has, in milliseconds: one that should take longer ends at once. */
export const maxTimer = 2 ** 31 - 1
