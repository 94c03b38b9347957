import { Component, type ReactNode } from "react";

interface PlainFallbackProps {
  /** The content as plain text. */
  readonly text: () => string;
  readonly children: ReactNode;
}

/**
 * Shows content as plain text when rendering it throws, such as quotes nested too deeply for the stack. One item never
 * breaks the whole page.
 */
export class PlainFallback extends Component<PlainFallbackProps, { readonly broken: boolean }> {
  override state = { broken: false };

  static getDerivedStateFromError(): { broken: boolean } {
    return { broken: true };
  }

  override render(): ReactNode {
    if (!this.state.broken) return this.props.children;
    return <PlainWords text={this.props.text()} />;
  }
}

export const PlainWords = ({ text }: { text: string }) => (
  <p className="whitespace-pre-wrap break-words">{text}</p>
);
