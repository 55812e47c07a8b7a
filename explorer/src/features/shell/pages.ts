export const PAGES = [
  { to: "/", label: "Home", words: "start simulation" },
  { to: "/runs", label: "Runs", words: "jobs training recordings replay" },
  { to: "/check", label: "Check a step", words: "verify replay audit" },
  { to: "/post", label: "Post a job", words: "client train" },
  { to: "/provide", label: "Provide", words: "gpu earn node rent out" },
  { to: "/ledger", label: "Ledger", words: "money reserves journal wallet withdraw" },
  { to: "/status", label: "Status", words: "health chain rpc indexer down" },
  { to: "/providers", label: "Providers", words: "registry prices" },
  { to: "/verifiers", label: "Verifiers", words: "registry seats" },
  { to: "/help", label: "Help and badges", words: "questions glossary" },
  { to: "/honestly", label: "What doesn’t work yet", words: "honestly limits trust arbiter" },
] as const;

const find = (...paths: string[]) => PAGES.filter((page) => paths.includes(page.to));

export const MAIN_PAGES = find("/runs", "/check", "/post", "/provide", "/ledger", "/status");
export const FOOT_PAGES = find("/help", "/honestly", "/providers", "/verifiers");
