import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from "@tanstack/react-router";
import { Home } from "./features/home/Home.tsx";
import { Shell } from "./features/shell/Shell.tsx";
import { ErrorPage } from "./ui/ErrorPage.tsx";
import { Loading } from "./ui/Loading.tsx";
import { NotFound } from "./ui/NotFound.tsx";

const root = createRootRoute({ component: Shell, notFoundComponent: NotFound, errorComponent: ErrorPage });

/** Home is the only page that ships with the first load. */
const home = createRoute({ getParentRoute: () => root, path: "/", component: Home });

const runs = createRoute({
  getParentRoute: () => root,
  path: "/runs",
  component: lazyRouteComponent(() => import("./features/runs/Runs.tsx"), "Runs"),
});

export interface RunSearch {
  /** seconds into the run: a moment that can be shared */
  readonly t?: number;
}

const run = createRoute({
  getParentRoute: () => root,
  path: "/runs/$id",
  validateSearch: (search: Record<string, unknown>): RunSearch => {
    const t = Number(search.t);
    return search.t !== undefined && Number.isFinite(t) && t >= 0 ? { t } : {};
  },
  component: lazyRouteComponent(() => import("./features/run/RunPage.tsx"), "RunPage"),
});

export interface LedgerSearch {
  readonly job?: string;
  readonly account?: string;
  readonly kind?: string;
}

const text = (value: unknown) => (typeof value === "string" || typeof value === "number" ? String(value) : undefined);

const ledger = createRoute({
  getParentRoute: () => root,
  path: "/ledger",
  validateSearch: (search: Record<string, unknown>): LedgerSearch => {
    const [job, account, kind] = [text(search.job), text(search.account), text(search.kind)];
    return { ...(job && { job }), ...(account && { account }), ...(kind && { kind }) };
  },
  component: lazyRouteComponent(() => import("./features/ledger/Ledger.tsx"), "Ledger"),
});

const providers = createRoute({
  getParentRoute: () => root,
  path: "/providers",
  component: lazyRouteComponent(() => import("./features/registry/Providers.tsx"), "Providers"),
});
const provider = createRoute({
  getParentRoute: () => root,
  path: "/providers/$address",
  component: lazyRouteComponent(() => import("./features/registry/ProviderPage.tsx"), "ProviderPage"),
});
const verifiers = createRoute({
  getParentRoute: () => root,
  path: "/verifiers",
  component: lazyRouteComponent(() => import("./features/registry/Verifiers.tsx"), "Verifiers"),
});
const provide = createRoute({
  getParentRoute: () => root,
  path: "/provide",
  component: lazyRouteComponent(() => import("./features/provide/Provide.tsx"), "Provide"),
});
const status = createRoute({
  getParentRoute: () => root,
  path: "/status",
  component: lazyRouteComponent(() => import("./features/status/Status.tsx"), "Status"),
});
const help = createRoute({
  getParentRoute: () => root,
  path: "/help",
  component: lazyRouteComponent(() => import("./features/help/Help.tsx"), "Help"),
});
const honestly = createRoute({
  getParentRoute: () => root,
  path: "/honestly",
  component: lazyRouteComponent(() => import("./features/help/Honestly.tsx"), "Honestly"),
});
const check = createRoute({
  getParentRoute: () => root,
  path: "/check",
  component: lazyRouteComponent(() => import("./features/later/Later.tsx"), "CheckStep"),
});
const post = createRoute({
  getParentRoute: () => root,
  path: "/post",
  component: lazyRouteComponent(() => import("./features/later/Later.tsx"), "PostJob"),
});

const routeTree = root.addChildren([
  home,
  runs,
  run,
  ledger,
  providers,
  provider,
  verifiers,
  provide,
  status,
  help,
  honestly,
  check,
  post,
]);

export function createAppRouter() {
  return createRouter({
    routeTree,
    defaultPendingComponent: Loading,
    defaultErrorComponent: ErrorPage,
    defaultPreload: "intent",
    scrollRestoration: true,
  });
}

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof createAppRouter>;
  }
}
