// The cases of access lines, which differ only in how many lines are not ASCII: a peer runs them alike.
export const apacheCases = (run) => ({
  'apache-full': run,
  'apache-utf8-1': run,
  'apache-utf8-100': run,
})
