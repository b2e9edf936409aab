import { Component, type ReactNode } from "react";

interface Props {
  /** Called before the page is tried again without a reload. */
  onRetry(): void;
  readonly children: ReactNode;
}

/** Keeps the frame when a page cannot be loaded or drawn. A class, because React hands such errors to nothing else. */
export class PageBoundary extends Component<Props, { readonly hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError(): { readonly hasFailed: boolean } {
    return { hasFailed: true };
  }

  override render(): ReactNode {
    if (!this.state.hasFailed) return this.props.children;
    const retry = () => {
      // A reload finds the files of a newer build; without a network it would lose even this page.
      if (navigator.onLine) return window.location.reload();
      this.props.onRetry();
      this.setState({ hasFailed: false });
    };
    return (
      <div className="notice notice-bad" role="alert">
        <p className="notice-title">This part of the console could not be loaded</p>
        <p>
          The network may be down, or the service was updated since this page was opened. What you paid for is
          kept in this tab.
        </p>
        <button type="button" onClick={retry}>
          Try again
        </button>
      </div>
    );
  }
}
