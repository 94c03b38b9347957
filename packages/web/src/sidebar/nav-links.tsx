import { type PageEntry, pageEntries } from "../pages.tsx";
import { buildPath } from "../routing/path.ts";
import { themeWords, turnTheme, useTheme } from "../theme/theme.ts";
import { IconButton } from "../ui/button.tsx";
import { KeyboardIcon, ThemeIcon } from "../ui/icons.tsx";

interface NavProps {
  /** The current page. */
  readonly current: PageEntry | undefined;
}

const linked = (nav: PageEntry["nav"]): readonly PageEntry[] =>
  pageEntries.filter((page) => page.nav === nav);

/** Links above the list, to frequently used pages. On phones, the bottom bar has them. */
export function TopLinks({ current }: NavProps) {
  return (
    <ul className="mx-2 mb-2 max-md:hidden">
      {linked("top").map((page) => (
        <li key={page.path}>
          <PageLink page={page} isCurrent={page === current} iconSize={15} className="h-8 gap-2.5" />
        </li>
      ))}
    </ul>
  );
}

/** Links below the list, to the other pages. */
export function FooterLinks({ current, onShowKeys }: NavProps & { readonly onShowKeys: () => void }) {
  const theme = useTheme();
  return (
    <footer className="shrink-0 border-line border-t p-2 pb-[max(0.5rem,env(safe-area-inset-bottom))]">
      <ul className="grid grid-cols-2 gap-0.5">
        {linked("footer").map((page) => (
          <li key={page.path}>
            <PageLink
              page={page}
              isCurrent={page === current}
              iconSize={14}
              className={`h-7 gap-2 text-xs max-md:h-10 ${page === current ? "" : "text-muted hover:text-ink"}`}
            />
          </li>
        ))}
      </ul>
      <div className="mt-0.5 flex items-center gap-0.5">
        <button
          type="button"
          onClick={turnTheme}
          className="flex h-7 min-w-0 flex-1 items-center gap-2 rounded-md px-2 text-muted text-xs hover:bg-hover/60 hover:text-ink max-md:h-10"
        >
          <ThemeIcon size={14} />
          Theme: {themeWords[theme]}
        </button>
        <IconButton label="Keyboard shortcuts" className="max-md:hidden" onClick={onShowKeys}>
          <KeyboardIcon size={15} />
        </IconButton>
      </div>
    </footer>
  );
}

interface PageLinkProps {
  readonly page: PageEntry;
  readonly isCurrent: boolean;
  readonly iconSize: number;
  readonly className: string;
}

function PageLink({ page, isCurrent, iconSize, className }: PageLinkProps) {
  const { path, title, icon: Icon, badge: Badge } = page;
  return (
    <a
      href={`#${buildPath(path)}`}
      aria-current={isCurrent ? "page" : undefined}
      className={`flex items-center rounded-md px-2 ${isCurrent ? "bg-hover font-medium" : "hover:bg-hover/60"} ${className}`}
    >
      {Icon && (
        <span className="text-muted">
          <Icon size={iconSize} />
        </span>
      )}
      {title}
      {Badge && <Badge />}
    </a>
  );
}
