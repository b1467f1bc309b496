"""What is stored: players, tables, seats, and the append-only moves of every round. Columns, no behaviour.

The moves are the truth; no state is stored beside them. Times are seconds since the epoch.
"""

from app.storage.db import Base
from app.storage.models.circles import Circle, CircleMember, CircleScore, CircleSeason
from app.storage.models.deals import Deal, Epoch
from app.storage.models.keeper import Bar, House, KeeperAct, Report, ReportedLine
from app.storage.models.matches import Match, Move, Result, Review, Round, Sitter, Takeback
from app.storage.models.players import Allowance, Device, Player, Request, Subscription
from app.storage.models.tables import Heartbeat, Message, Mute, Seat, SeatLoss, SeatTransfer, Table, WaitingGuest
from app.storage.models.tournaments import Tournament, TournamentEntry, TournamentLine, TournamentTable
