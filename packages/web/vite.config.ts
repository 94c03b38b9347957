import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defaultClientConditions, defineConfig, type Plugin } from "vite";
import { licenses } from "../../scripts/licenses.ts";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

// Whoever calls: a test run's own NODE_ENV would put React's development build into the page.
process.env["NODE_ENV"] = "production";

/**
 * A plain script at the head of both pages: a module runs after the first paint, and the policy refuses inline ones.
 * Its name begins with `login-`, so that a visitor without a right gets it, too.
 */
function earlyTheme(): Plugin {
  const source = readFileSync(here("src/theme/login-theme.js"), "utf8");
  return {
    name: "drover:early-theme",
    apply: "build",
    buildStart() {
      this.emitFile({ type: "asset", name: "login-theme.js", source });
    },
    transformIndexHtml(_html, { bundle = {} }) {
      const src = Object.keys(bundle).find((name) => /login-theme-[^/]+\.js$/.test(name));
      return [{ tag: "script", attrs: { src: `/${src}` }, injectTo: "head-prepend" }];
    },
  };
}

/** What both pages show at once. */
const firstFonts = ["inter-latin-wght-normal", "geist-mono-latin-wght-normal"];

/** The typefaces: asked for together with the page, not first when its script draws text. */
function typefaces(): Plugin {
  return {
    name: "drover:typefaces",
    apply: "build",
    transformIndexHtml(_html, { bundle = {} }) {
      const files = firstFonts.map((font) => Object.keys(bundle).find((name) => name.includes(font)));
      return files.map((file) => ({
        tag: "link",
        attrs: { rel: "preload", as: "font", type: "font/woff2", href: `/${file}`, crossorigin: true },
        injectTo: "head",
      }));
    },
  };
}

export default defineConfig({
  root: here("."),
  base: "/",
  plugins: [react(), tailwindcss(), earlyTheme(), typefaces(), licenses(here("."))],
  resolve: {
    conditions: ["source", ...defaultClientConditions],
    alias: [
      {
        find: /^(rehype-(raw|sanitize|harden)|tailwind-merge)$/,
        replacement: here("src/transcript/left-out.ts"),
      },
    ],
  },
  css: {
    postcss: {
      plugins: [
        {
          postcssPlugin: "drover:font-display",
          Declaration: {
            // Text waits a tenth of a second for its font, which is there by then, rather than being set twice.
            "font-display": (declaration) => {
              declaration.value = "fallback";
            },
          },
        },
      ],
    },
  },
  // A worker that fetches parts of itself when it needs them is a module.
  worker: { format: "es", plugins: () => [licenses(here("."))] },
  build: {
    outDir: here("dist/app"),
    emptyOutDir: true,
    target: ["chrome125", "firefox128", "safari17.5"],
    // Inlined assets are data: addresses, which the page's content security policy refuses.
    assetsInlineLimit: 0,
    // Its helper would be a chunk that both pages share, and a visitor without a right gets only login-* files.
    modulePreload: { polyfill: false },
    // The grammars of some languages are that large; a worker fetches them.
    chunkSizeWarningLimit: 1_000,
    rolldownOptions: {
      // Whoever starts Drover on a busy machine has no use for advice on plugins.
      checks: { pluginTimings: false, bundlerTimings: false },
      // Core's schemas are the server's to check with. The page folds and needs none of them, nor their library.
      treeshake: { moduleSideEffects: [{ test: /[\\/]packages[\\/]core[\\/]/, sideEffects: false }] },
      input: { index: here("index.html"), login: here("login.html") },
      output: {
        entryFileNames: "assets/[name]-[hash].js",
        chunkFileNames: "assets/[name]-[hash].js",
        // A font is a file of the login page, too.
        assetFileNames: ({ names }) =>
          `assets/${names.some((name) => name.endsWith(".woff2")) ? "login-" : ""}[name]-[hash][extname]`,
      },
    },
  },
});
