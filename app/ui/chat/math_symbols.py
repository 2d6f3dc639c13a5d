"""What the commands of mathematical notation look like as characters. Knows no Qt."""

from __future__ import annotations

_GREEK = (
    "alpha α beta β gamma γ delta δ epsilon ϵ varepsilon ε zeta ζ eta η theta θ vartheta ϑ iota ι kappa κ "
    "lambda λ mu μ nu ν xi ξ omicron ο pi π varpi ϖ rho ρ varrho ϱ sigma σ varsigma ς tau τ upsilon υ "
    "phi ϕ varphi φ chi χ psi ψ omega ω"
)
_CAPITALS = "Gamma Γ Delta Δ Theta Θ Lambda Λ Xi Ξ Pi Π Sigma Σ Upsilon Υ Phi Φ Psi Ψ Omega Ω"
_PLAIN = (
    "infty ∞ partial ∂ nabla ∇ hbar ℏ ell ℓ Re ℜ Im ℑ aleph ℵ emptyset ∅ varnothing ∅ forall ∀ exists ∃ "
    "nexists ∄ neg ¬ lnot ¬ top ⊤ bot ⊥ angle ∠ triangle △ square □ blacksquare ■ dots … ldots … cdots ⋯ "
    "vdots ⋮ ddots ⋱ prime ′ degree ° checkmark ✓ star ⋆ dagger † imath ı jmath ȷ wp ℘ lbrace { rbrace } "
    "langle ⟨ rangle ⟩ lfloor ⌊ rfloor ⌋ lceil ⌈ rceil ⌉ vert | Vert ‖ lvert | rvert | lVert ‖ rVert ‖ "
    "backslash \\ colon :"
)
_LARGE = "sum ∑ prod ∏ coprod ∐ int ∫ iint ∬ iiint ∭ oint ∮ bigcup ⋃ bigcap ⋂ bigoplus ⨁ bigotimes ⨂"
_RELATIONS = (
    "le ≤ leq ≤ leqslant ≤ ge ≥ geq ≥ geqslant ≥ ne ≠ neq ≠ equiv ≡ approx ≈ sim ∼ simeq ≃ cong ≅ propto ∝ "
    "ll ≪ gg ≫ in ∈ notin ∉ ni ∋ subset ⊂ supset ⊃ subseteq ⊆ supseteq ⊇ nsubseteq ⊈ perp ⊥ parallel ∥ "
    "mid ∣ nmid ∤ vdash ⊢ models ⊨ to → rightarrow → leftarrow ← leftrightarrow ↔ Rightarrow ⇒ Leftarrow ⇐ "
    "Leftrightarrow ⇔ iff ⇔ implies ⇒ impliedby ⇐ mapsto ↦ longrightarrow ⟶ longleftarrow ⟵ "
    "Longrightarrow ⟹ longmapsto ⟼ uparrow ↑ downarrow ↓ hookrightarrow ↪ prec ≺ succ ≻ preceq ⪯ succeq ⪰ "
    "asymp ≍ doteq ≐ coloneqq ≔ triangleq ≜ gets ←"
)
_BINARY = (
    "times × cdot · div ÷ pm ± mp ∓ ast ∗ circ ∘ bullet • oplus ⊕ ominus ⊖ otimes ⊗ odot ⊙ cup ∪ cap ∩ "
    "setminus ∖ land ∧ wedge ∧ lor ∨ vee ∨ sqcup ⊔ sqcap ⊓ uplus ⊎"
)


def _table(pairs: str) -> dict[str, str]:
    words = pairs.split()
    return dict(zip(words[::2], words[1::2], strict=True))


def _words(names: str) -> frozenset[str]:
    return frozenset(names.split())


LETTERS = _table(_GREEK)
PLAIN = {**_table(_CAPITALS), **_table(_PLAIN), **{c: c for c in "{}%$#&_"}, "|": "‖"}
LARGE = _table(_LARGE)
RELATIONS = _table(_RELATIONS)
BINARY = _table(_BINARY)
SPACES = {",": "\u2009", ":": "\u2005", ";": "\u2005", " ": " ", "!": "", "\n": " "}
SPACES |= {"quad": "\u2003", "qquad": "\u2003\u2003", "enspace": "\u2002", "thinspace": "\u2009"}
FUNCTIONS = _words(
    "sin cos tan cot sec csc arcsin arccos arctan sinh cosh tanh log ln lg exp lim limsup liminf max min sup "
    "inf det dim ker deg gcd arg argmax argmin Pr hom mod softmax"
)
ACCENTS = {"hat": "\u0302", "widehat": "\u0302", "bar": "\u0304", "overline": "\u0305", "vec": "\u20d7"}
ACCENTS |= {"dot": "\u0307", "ddot": "\u0308", "tilde": "\u0303", "widetilde": "\u0303", "check": "\u030c"}
ACCENTS |= {"underline": "\u0332", "breve": "\u0306", "acute": "\u0301", "grave": "\u0300"}
UPRIGHT = _words("text textrm textit mathrm operatorname mathsf mathtt mbox textnormal")
BOLD = _words("mathbf boldsymbol bm textbf bold")
IGNORED = _words(
    "left right big Big bigg Bigg bigl bigr Bigl Bigr biggl biggr middle displaystyle textstyle limits "
    "nolimits nonumber notag hline scriptstyle"
)
DOUBLE = dict(zip("CHNPQRZ", "ℂℍℕℙℚℝℤ", strict=True))
SCRIPT = dict(zip("BEFHILMR", "ℬℰℱℋℐℒℳℛ", strict=True))
