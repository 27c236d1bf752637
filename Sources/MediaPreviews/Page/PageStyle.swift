/// The page's style sheet.
enum PageStyle {
    /// What the page's policy allows; the browser test says what it has to be.
    static let hash = "sha256-P8J7BFHQu04qHdNLSwdKyKvT2Tsgavspmd+O2djGO/Y="

    static let text = #"""

        :root {
          color-scheme: light dark;
          --page: #fafaf8; --panel: #fff; --ink: #1d1d1f; --quiet: #66666c; --line: #e2e2de;
          --accent: #1f6fd6; --current: #e8f0fb; --stage: #ecece8; --gap: #8a5a00; --damage: #b3261e;
        }
        @media (prefers-color-scheme: dark) {
          :root {
            --page: #131315; --panel: #1b1b1e; --ink: #ececee; --quiet: #9c9ca4; --line: #2d2d32;
            --accent: #6aa8ff; --current: #1d2b40; --stage: #0b0b0c; --gap: #e0a43a; --damage: #ff8a80;
          }
        }
        * { box-sizing: border-box; }
        [hidden] { display: none !important; }
        body {
          margin: 0 auto; padding: clamp(12px, 3vw, 32px); max-width: 1480px;
          background: var(--page); color: var(--ink); font: 15px/1.45 system-ui, sans-serif;
          font-variant-numeric: tabular-nums; -webkit-text-size-adjust: 100%;
        }
        h1 { margin: 0; font-size: clamp(20px, 2.4vw, 28px); line-height: 1.2; font-weight: 650; letter-spacing: -0.01em;
          overflow-wrap: anywhere; text-align: start; text-wrap: balance; }
        .facts b { color: var(--damage); font-weight: 600; }
        .facts { margin: 4px 0 clamp(14px, 2vw, 24px); color: var(--quiet); overflow-wrap: anywhere; }
        :focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 6px; }
        html:not(.js) main { display: none; }

        main { display: grid; gap: clamp(16px, 2.4vw, 32px); grid-template-columns: minmax(0, 1fr); }
        .stage { display: grid; place-items: center; background: var(--stage); border-radius: 10px; overflow: hidden; }
        .stage canvas { display: block; aspect-ratio: var(--ratio);
          width: min(100%, var(--picture-width), 62vh * var(--ratio)); }
        .stage video { display: block; width: 100%; max-height: 62vh; aspect-ratio: var(--ratio); background: #000; }
        .stage video.sound { order: 1; width: calc(100% - 16px); height: 54px; margin: 8px; aspect-ratio: auto;
          background: none; }
        canvas.loading { opacity: 0; }
        #trouble, #note { margin: 12px 0 0; padding: 8px 12px; border-radius: 8px; overflow-wrap: anywhere;
          border: 1px solid currentColor; color: var(--damage); font-size: 14px; }
        #note.gap { color: var(--gap); }

        .scrub { position: relative; margin-top: 12px; }
        #bar { position: relative; height: 52px; border-radius: 8px; background: var(--stage); cursor: pointer;
          touch-action: pan-y; user-select: none; -webkit-user-select: none; }
        #strip { width: 100%; height: 100%; border-radius: 8px; }
        #progress { position: absolute; left: 0; bottom: 0; height: 4px; width: 0; background: var(--accent);
          border-radius: 0 0 0 8px; }
        #marks span { position: absolute; top: 0; height: 6px; min-width: 3px; background: var(--damage); }
        #marks span.gap { background: repeating-linear-gradient(135deg, var(--gap) 0 3px, var(--page) 3px 5px); }
        #position, #pointer { position: absolute; top: -4px; bottom: -4px; width: 4px; margin-left: -2px; left: 0;
          border-radius: 2px; background: var(--accent); box-shadow: 0 0 0 1.5px var(--page); pointer-events: none; }
        #pointer { width: 2px; margin-left: -1px; background: var(--ink); }
        #bubble { position: absolute; bottom: calc(100% + 8px); left: 0; z-index: 2; width: max-content;
          padding: 3px; border-radius: 8px; background: var(--panel); color: var(--ink); pointer-events: none;
          border: 1px solid var(--line); box-shadow: 0 4px 18px rgb(0 0 0 / 0.25); text-align: center; }
        #bubble canvas { display: block; max-width: min(240px, 60vw); max-height: 200px; border-radius: 5px; }
        #bubble span { display: block; padding: 0 6px; font-size: 13px; font-weight: 600; }

        .readout { display: flex; flex-wrap: wrap; gap: 8px clamp(16px, 4vw, 40px); margin: 14px 0 0; }
        .readout dt { color: var(--quiet); font-size: 12px; }
        .readout dd { margin: 0; font-size: 18px; font-weight: 600; min-width: 7.2em; }

        table { display: block; height: clamp(260px, 60vh, 620px); overflow-y: auto; overscroll-behavior: contain;
          background: var(--panel); border: 1px solid var(--line); border-radius: 10px; font-size: 14px; }
        thead { display: block; position: sticky; top: 0; z-index: 1; background: var(--panel);
          border-bottom: 1px solid var(--line); color: var(--quiet); font-size: 12px; }
        th { padding: 0; font-weight: 500; text-align: start; }
        td { padding: 0; min-width: 0; white-space: nowrap; }
        tbody { display: block; position: relative; }
        tr { display: grid; align-items: center; gap: 0 12px; padding: 0 12px;
          grid-template: "picture start end frame kind" / 92px 90px 90px 90px minmax(0, 1fr); }
        thead tr { height: 32px; }
        tbody tr { position: absolute; left: 0; right: 0; height: 60px; cursor: pointer;
          border-bottom: 1px solid var(--line); }
        tbody tr:hover { background: var(--page); }
        tbody tr[aria-selected=true] { background: var(--current); box-shadow: inset 3px 0 var(--accent); }
        tbody tr:focus-visible { outline-offset: -3px; }
        .picture { grid-area: picture; } .start { grid-area: start; } .end { grid-area: end; }
        .frame { grid-area: frame; } .kind { grid-area: kind; }
        td.picture canvas { display: block; max-width: 92px; max-height: 52px; border-radius: 4px; background: var(--stage); }
        td.end, td.frame { color: var(--quiet); }
        td.kind { white-space: normal; }
        .badge { display: inline-block; margin: 1px 4px 1px 0; padding: 0 7px; border-radius: 99px; font-size: 12px;
          border: 1px solid var(--line); color: var(--quiet); }
        .badge.damage, .badge.gap { border-color: currentColor; color: var(--damage); font-weight: 600; }
        .badge.gap { color: var(--gap); }

        .sheets { margin-top: clamp(16px, 2.4vw, 32px); border-top: 1px solid var(--line); padding-top: 12px; }
        .sheets summary { cursor: pointer; font-weight: 600; }
        .sheets .count { color: var(--quiet); font-weight: 400; }
        .sheets ol { display: grid; gap: 20px; margin: 16px 0 0; padding: 0; list-style: none; }
        .sheets figure { margin: 0; }
        .sheets img { display: block; max-width: 100%; height: auto; border-radius: 6px; background: var(--stage); }
        .sheets figcaption { margin-top: 4px; color: var(--quiet); font-size: 13px; }

        @media (min-width: 1120px) {
          main { grid-template-columns: minmax(0, 1fr) 540px; align-items: start; }
          .view { position: sticky; top: 24px; }
          table { height: min(calc(100vh - 150px), 860px); }
        }
        @media (max-width: 560px) {
          tr { grid-template: "picture start frame" auto "picture end kind" auto / 84px minmax(0, 1fr) minmax(0, 1fr);
            gap: 2px 8px; padding: 0 8px; align-content: center; font-size: 13px; }
          thead tr { height: 44px; }
          td.picture canvas { max-width: 84px; }
          .badge { padding: 0 5px; font-size: 11px; }
          .readout { gap: 8px 14px; }
          .readout dd { font-size: 15px; min-width: 0; }
        }
        @media (forced-colors: active) {
          #position, #pointer, #progress, #marks span { forced-color-adjust: none; background: Highlight; }
        }

        """#
}
