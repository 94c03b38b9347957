import { Component, type ReactNode } from "react";
import { Button } from "./ui/button.tsx";
import { Empty } from "./ui/empty.tsx";
import { BackHome } from "./ui/page.tsx";

interface PageBoundaryProps {
  readonly children: ReactNode;
}

/** Keeps the list and the keys alive when a page cannot be drawn: a bug of it, or its code is an older server's. */
export class PageBoundary extends Component<PageBoundaryProps, { readonly broken: boolean }> {
  override state = { broken: false };

  static getDerivedStateFromError(): { broken: boolean } {
    return { broken: true };
  }

  override render(): ReactNode {
    if (!this.state.broken) return this.props.children;
    return (
      <Empty title="This page cannot be shown" alert>
        <p className="mb-4">
          Nothing is lost: agents go on working, and what you have written is kept. If reloading does not
          help, the browser's console says why.
        </p>
        <Button look="primary" onClick={() => location.reload()}>
          Reload
        </Button>
        <BackHome />
      </Empty>
    );
  }
}
